/** How many answers of one kind, such as `limited` for a 429, the requests of one endpoint got. */
export interface AnswerCount {
  readonly endpoint: string;
  readonly answer: string;
  readonly count: number;
}

/** Writes the counts if the ledger is already open; a failure is not reported, because these are only statistics. */
type Write = (account: string, counts: readonly AnswerCount[]) => Promise<void>;

/** Milliseconds after which counts are written while a program runs. */
const KEPT_MS = 60_000;
const SEPARATOR = '\n';

/** Counts responses by account and endpoint; the totals are written from time to time, not with every request. */
export function answerCounter(write: Write, monotonic: () => number) {
  let counts = new Map<string, number>();
  let written = monotonic();
  const flush = async (): Promise<void> => {
    const taken = [...counts].map(([key, count]) => [...key.split(SEPARATOR), count] as const);
    counts = new Map();
    written = monotonic();
    for (const account of new Set(taken.map(([first]) => first as string))) {
      const own = taken.filter(([first]) => first === account);
      await write(
        account,
        own.map(([, endpoint, answer, count]) => ({ endpoint, answer, count }) as AnswerCount),
      );
    }
  };
  return {
    /** Counts an answer by the path of its request and its HTTP status, null for none. */
    add: async (account: string, path: string, status: number | null): Promise<void> => {
      const key = [account, path.slice(path.lastIndexOf('/') + 1), kindOf(status)].join(SEPARATOR);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (monotonic() - written >= KEPT_MS) await flush();
    },
    flush,
  };
}

/** The result of a request: successful, refused, rate limited, failed at the service, or without a response. */
function kindOf(status: number | null) {
  if (status === null) return 'unanswered';
  if (status === 429) return 'limited';
  return status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'ok';
}
