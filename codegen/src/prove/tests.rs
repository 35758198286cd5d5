//! Verdicts over tables, the shared corpus and the test suite.
