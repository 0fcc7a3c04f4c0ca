/** A command line, and what must become of it. */
export interface TypedLine {
  readonly args: readonly string[];
  readonly exitCode: number;
  /** What it prints, standard output before standard error. */
  readonly said: RegExp;
}

/** Command lines of scripts: nothing they print is for a terminal, and no one answers questions. */
export const TYPED: readonly TypedLine[] = [
  { args: ['quote', 'BTC', 'ETH', '0.1'], exitCode: 0, said: /^receive\t[0-9.]+$/m },
  { args: ['quote', 'BTC', 'NOPE', '0.1'], exitCode: 2, said: /NOPE/ },
  { args: ['nothing'], exitCode: 2, said: /^\nerror: Unknown command nothing\.$/m },
];
