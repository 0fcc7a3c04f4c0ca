/** Why worlds do not reach branches of functions, by files of src/core. */
export const REASONS: Readonly<Record<string, Readonly<Record<string, string>>>>;
