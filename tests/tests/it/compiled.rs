//! Every golden tree as a module of this program, so that `deny(warnings)` of the whole holds for it.

