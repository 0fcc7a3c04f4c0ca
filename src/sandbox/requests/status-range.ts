/** Reads `404` or `4xx` as the first and last status that it means; null for any other text. */
export function statusRange(text: string): readonly [number, number] | null {
  const match = /^([1-5])(?:([0-9]{2})|xx)$/i.exec(text);
  if (match === null) return null;
  const first = Number.parseInt(`${match[1]}${match[2] ?? '00'}`, 10);
  return [first, match[2] === undefined ? first + 99 : first];
}
