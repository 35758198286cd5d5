//! Lists page by page. A cursor says where the next page begins, so nothing is remembered between two of them.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use rmcp::{ErrorData, model::PaginatedRequestParams};

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page<'a, T> {
    pub(super) items: &'a [T],
    /// The cursor of the next page, where there is one.
    pub(super) next: Option<String>,
}

/// The page of `items` that a request asks for; `list` is the method, `size` how many a page has at most, 0 for all.
///
/// # Errors
///
/// `-32602` for a cursor that no page of this list has given out.
pub(super) fn page<'a, T>(
    list: &str,
    items: &'a [T],
    size: usize,
    request: Option<PaginatedRequestParams>,
) -> Result<Page<'a, T>, ErrorData> {
    let begin = match request.and_then(|it| it.cursor) {
        None => 0,
        Some(_) if size == 0 => {
            let message = "unknown cursor: the list has one page";
            return Err(ErrorData::invalid_params(message, None));
        }
        Some(cursor) => begin(list, &cursor)
            .filter(|begin| *begin < items.len() && begin.is_multiple_of(size))
            .ok_or_else(|| {
                ErrorData::invalid_params(format!("unknown cursor for `{list}`"), None)
            })?,
    };
    let rest = items.get(begin..).unwrap_or_default();
    if size == 0 || rest.len() <= size {
        return Ok(Page {
            items: rest,
            next: None,
        });
    }
    let next = format!("{list} {}", begin + size);
    Ok(Page {
        items: &rest[..size],
        next: Some(URL_SAFE_NO_PAD.encode(next)),
    })
}

/// Where the page of a cursor begins: never at the start, which needs none.
fn begin(list: &str, cursor: &str) -> Option<usize> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let (of, begin) = text.split_once(' ')?;
    let begin = begin.parse().ok().filter(|begin| *begin > 0);
    begin.filter(|_| of == list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(
        list: &str,
        size: usize,
        cursor: Option<&str>,
    ) -> Result<(Vec<i32>, Option<String>), i32> {
        let items = [1, 2, 3, 4, 5];
        let cursor = cursor.map(str::to_owned);
        let request = PaginatedRequestParams::default().with_cursor(cursor);
        match page(list, &items, size, Some(request)) {
            Ok(page) => Ok((page.items.to_vec(), page.next)),
            Err(error) => Err(error.code.0),
        }
    }

    #[test]
    fn pages_follow_one_another() {
        for (size, expected) in [
            (0, vec![5]),
            (1, vec![1; 5]),
            (2, vec![2, 2, 1]),
            (5, vec![5]),
            (9, vec![5]),
        ] {
            let (mut seen, mut lengths, mut cursor) = (Vec::new(), Vec::new(), None);
            loop {
                let (items, next) = ask("l", size, cursor.as_deref()).expect("a cursor of ours");
                lengths.push(items.len());
                seen.extend(items);
                match next {
                    Some(next) => cursor = Some(next),
                    None => break,
                }
            }
            assert_eq!((seen, lengths), (vec![1, 2, 3, 4, 5], expected), "{size}");
        }
    }

    #[test]
    fn cursors_of_others_are_refused() {
        let own = ask("l", 2, None)
            .expect("the first page")
            .1
            .expect("there are more");
        assert_eq!(ask("l", 0, Some(&own)), Err(-32602));
        assert_eq!(ask("other", 2, Some(&own)), Err(-32602));
        assert_eq!(ask("l", 3, Some(&own)), Err(-32602));
        for text in [
            "l 0",
            "l 1",
            "l 6",
            "l -2",
            "l 99999999999999999999",
            "l",
            "",
        ] {
            let cursor = URL_SAFE_NO_PAD.encode(text);
            assert_eq!(ask("l", 2, Some(&cursor)), Err(-32602), "{text}");
        }
        assert_eq!(ask("l", 2, Some("not base64!")), Err(-32602));
    }
}
