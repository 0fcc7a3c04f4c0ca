import { describe, expect, it } from 'vitest';
import { AUTH_HEADERS } from '../../src/core/partner-api/endpoints.ts';
import { type CreateOutcome, expectCreate } from '../helpers/create-outcome.ts';
import { sendJson } from '../helpers/raw-server.ts';
import { inScene } from '../helpers/scene.ts';
import { type Plan, startSwapService, stoppingAfterQuote } from '../helpers/swap-service.ts';

interface Refusal extends CreateOutcome {
  readonly status: number;
  readonly message: string | readonly string[];
  readonly retryable?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

const refused = { posts: 1, ledger: 'refused' } as const;
const limited = {
  ...refused,
  status: 429,
  exit: 6,
  code: 'rate_limited',
  retryable: true,
  message: 'You have exceeded your request limit. Please try again later.',
} as const;

const REFUSALS: readonly Refusal[] = [
  {
    ...refused,
    status: 400,
    exit: 5,
    code: 'amount_below_min',
    message: 'Amount to swap is below the possible min amount to swap',
  },
  { ...limited, says: [/Wait a minute/] },
  { ...limited, headers: { 'retry-after': '1' }, says: [/Wait 1 s/] },
];

describe.concurrent('a create', () => {
  it.each(REFUSALS)('refused with $status $headers has the code $code, and is sent once', (refusal) => {
    const { status, message, headers = {}, retryable = false } = refusal;
    const plan: Plan = {
      'create-transaction': (seen, response) => {
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        const sentBack = String(seen.headers[AUTH_HEADERS.signature]);
        sendJson(response, status, { statusCode: status, message, debug: sentBack });
      },
    };
    return inScene(plan, async (scene) => {
      const run = await scene.create();
      await expectCreate(scene, run, refusal);
      expect(run.error()).toMatchObject({ retryable, httpStatus: status });
    });
  });

  it('is recorded as not sent if the service stops listening before the POST', () => {
    let stop: () => Promise<void> = async () => undefined;
    return inScene(
      stoppingAfterQuote(() => stop()),
      async (scene) => {
        stop = () => scene.service.stopListening();
        const run = await scene.create();
        const expected = { exit: 6, code: 'network_error', posts: 0, ledger: 'not-sent' } as const;
        await expectCreate(scene, run, { ...expected, says: [/could not be reached/, /Nothing changed/] });
        expect(run.error()['retryable']).toBe(true);
      },
    );
  });

  it('sends no credentials if the server does not use TLS', () =>
    inScene({}, async (scene) => {
      const plain = await startSwapService();
      const run = await scene.create([], { SWAPCTL_BASE_URL: plain.url.replace('http:', 'https:') });
      await plain.close();
      await expectCreate(scene, run, { exit: 6, posts: 0, ledger: null, code: 'network_error' });
      expect(plain.requests).toEqual([]);
    }));
});
