/** How one run of the built program ended. */
export interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The error object in the last line of stderr; throws where there is none. */
  error(): { code: string; message: string; hint: string | null; outcome: string; exitCode: number } & Record<
    string,
    unknown
  >;
  /** Standard output as JSON. */
  json<T = Record<string, unknown>>(): T;
}

/** What a run starts with. */
export interface RunOptions {
  /** The home folder; nothing of the real environment reaches the program but PATH. */
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Default: the one in this clone. */
  readonly program?: string;
  /** A bash script around the program, which it runs as `"$0" "$@"`: for limits and redirections. */
  readonly shell?: string;
}

/** A finished run with its readers. */
export function runResult(run: Pick<Run, 'code' | 'signal' | 'stdout' | 'stderr'>): Run {
  return {
    ...run,
    // The last such line: with NODE_DEBUG Node may print more behind it.
    error: () => JSON.parse(run.stderr.split('\n').findLast((line) => line.startsWith('{')) ?? '').error,
    json: () => JSON.parse(run.stdout),
  };
}
