/**
 * Makes a decoder that remembers the last text with its result. Some two hundred networks are asked in turn whose
 * address a text is, and most of them read one of four encodings: this is what makes a refusal cost what a yes does.
 */
export function rememberLast<T>(decode: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly result: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: decode(text) };
    return last.result;
  };
}
