import { type RanHere, runHere } from '../helpers/run-here.ts';

/** A running `sandbox start` in this process. */
export interface Started {
  readonly url: string;
  /** Ends it as SIGTERM does. */
  stop(): Promise<RanHere>;
}

/** Runs `sandbox start` on a free port until it is stopped. Throws its error if it ends before it listens. */
export async function startHere(home: string, ...args: string[]): Promise<Started> {
  const stopping = new AbortController();
  let ended: Promise<RanHere> | undefined;
  const url = await new Promise<string>((resolve, reject) => {
    const onOutput = (stdout: string): void => resolve(/^listening on (\S+)/.exec(stdout)?.[1] ?? '');
    ended = runHere(['sandbox', 'start', '--port', '0', ...args], {
      home,
      signal: stopping.signal,
      onOutput,
    });
    ended.then(({ error }) => reject(error), reject);
  });
  return {
    url,
    stop: async () => {
      stopping.abort();
      return (await ended) as RanHere;
    },
  };
}
