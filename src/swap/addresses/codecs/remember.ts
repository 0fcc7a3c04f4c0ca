/**
 * Makes a decoder that caches the last text with its result. Up to some two hundred networks are asked in turn whether
 * a text is their address, and most of them decode one of four encodings; the cache makes a refusal as cheap as an
 * acceptance.
 */
export function rememberLast<T>(decode: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly result: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: decode(text) };
    return last.result;
  };
}
