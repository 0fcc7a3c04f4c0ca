/**
 * Loads all code that judges the answer to a create. An upgrade may replace the program's files while the answer is
 * awaited, and an order whose number cannot be shown is lost; a failure here costs nothing yet.
 */
export async function loadJudges(): Promise<void> {
  await Promise.all([
    import('../../../swap/addresses/check.ts'),
    import('../../../swap/addresses/seed-phrase.ts'),
  ]);
}
