/**
 * A time that the service names, such as the end of a deposit window, in milliseconds since 1970; read from RFC 3339, or
 * from seconds or milliseconds since 1970. Null where it cannot be read.
 */
export function wireTime(text: string | null): number | null {
  if (text === null) return null;
  if (/^[0-9]{10}$/.test(text)) return Number.parseInt(text, 10) * 1000;
  if (/^[0-9]{13}$/.test(text)) return Number.parseInt(text, 10);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i.test(text)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
