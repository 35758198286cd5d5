//! The generator's model of its types, asked in place of the types.

use super::{
    batch::{Answer, Outcome},
    generate::Product,
    subjects::Subject,
    verdict,
};

/// What the types would answer if their models are right, and if the validator agrees with the judge.
pub(super) fn ask(subjects: &[Subject], products: &[Product]) -> Vec<Outcome> {
    let all = subjects.iter().zip(products);
    all.map(|(subject, product)| Outcome {
        compiler: None,
        answers: answers(subject, product),
    })
    .collect()
}

/// None where there is no model that compiles; `verdict` says so.
fn answers(subject: &Subject, product: &Product) -> Vec<Answer> {
    let Product::Code(code) = product else {
        return Vec::new();
    };
    let Ok(model) = verdict::validator(&code.stated, subject) else {
        return Vec::new();
    };
    let instances = subject.instances.iter();
    instances
        .map(|it| {
            let error = model.validate(&it.value).err();
            Answer {
                by_type: error.is_none(),
                written: None,
                refused: match error {
                    Some(error) => Some(format!("the model refuses it: {error}")),
                    None => (!it.valid).then(|| "the validator refuses it".to_owned()),
                },
                kept: Some(it.value.clone()),
                lost: None,
            }
        })
        .collect()
}
