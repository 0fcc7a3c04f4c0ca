/** Headers of one connection, which no proxy passes on. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A header as it was sent: its name in the sender's own spelling, and its value. */
export type Header = readonly [name: string, value: string];

/** Headers of Node's flat list as pairs. */
export function headerPairs(raw: readonly string[]): Header[] {
  return Array.from({ length: Math.floor(raw.length / 2) }, (_, index) => [
    raw[index * 2] ?? '',
    raw[index * 2 + 1] ?? '',
  ]);
}

/** The headers that go on to the other side: all but those of this one connection, and those that `Connection` names. */
export function endToEnd(headers: readonly Header[], ...without: readonly string[]): Header[] {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(/\s*,\s*/));
  const dropped = new Set([...named, ...without]);
  return headers.filter(([name]) => {
    const lower = name.toLowerCase();
    return !HOP_BY_HOP.has(lower) && !dropped.has(lower);
  });
}
