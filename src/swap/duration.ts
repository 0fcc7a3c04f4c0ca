const DURATION_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A duration such as `30s`, `10m`, `2h` or `1d` in milliseconds; null for any other text, and for none at all. */
export function parseDuration(text: string): number | null {
  const match = /^([0-9]{1,6})([smhd])$/.exec(text);
  const unit = match?.[2] as keyof typeof DURATION_MS | undefined;
  const milliseconds = unit === undefined ? 0 : Number.parseInt(match?.[1] ?? '0', 10) * DURATION_MS[unit];
  return milliseconds > 0 ? milliseconds : null;
}
