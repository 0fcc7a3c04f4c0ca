import { attempt, SwapctlError } from '../../../src/base/errors.ts';
import type { Client } from '../../../src/core/client/client.ts';
import type { Transport } from '../../../src/core/client/transport.ts';
import { TransportError } from '../../../src/core/client/transport-error.ts';
import { PAYEES } from '../world/coins.ts';
import type { Program } from '../world/world.ts';
import { clientFor } from './client.ts';

/** What may become of one try to set a refund address: an answer without an address, or none. */
const FATES = ['unreached', 'lost', 503, 429, 404, 200] as const;
/** A refund address is sent no more often. */
const MAX_TRIES = 3;

const [REFUND_ADDRESS] = PAYEES.BTC;
const BODY = JSON.stringify({ id: 'QQQQQQ', refundAddress: REFUND_ADDRESS });

/** The doors through which a refund address leaves. */
const DOORS: readonly ((client: Client) => Promise<unknown>)[] = [
  ({ updateRefundAddress }) => updateRefundAddress('QQQQQQ', REFUND_ADDRESS),
  ({ raw }) => raw({ endpoint: 'update-refund-address', body: BODY }),
];

/** What is said wrongly of a refund address after tries of which each has its fate; null for nothing. */
export async function refundMistake(program: Program): Promise<string | null> {
  for (const first of FATES)
    for (const second of FATES)
      for (const third of FATES)
        for (const door of DOORS) {
          const problem = await problemOf(program, [first, second, third], door);
          if (problem !== null) return problem;
        }
  return null;
}

async function problemOf(
  { ports }: Program,
  fates: readonly (typeof FATES)[number][],
  door: (typeof DOORS)[number],
): Promise<string | null> {
  const tried: (typeof FATES)[number][] = [];
  const transport: Transport = async () => {
    const fate = fates[tried.length] ?? 404;
    tried.push(fate);
    if (fate === 'unreached') throw new TransportError('unreachable', false, 'ECONNREFUSED');
    if (fate === 'lost') throw new TransportError('broken', true, 'ECONNRESET');
    return { status: fate, text: '{"statusCode":0,"message":"No."}', headers: {}, retryAfter: null };
  };
  const ended = await attempt(async () => door(clientFor(ports, await ports.service(), { transport })));
  if (tried.length > MAX_TRIES) return `a refund address is sent ${tried.length} times`;
  if (!(ended instanceof SwapctlError)) return null;
  // Only a refusal, or no connection at all, proves that a try changed nothing.
  const mayBeSet = tried.some((fate) => fate === 'lost' || fate === 503 || fate === 200);
  const isUnknown = ended.outcome === 'unknown';
  return mayBeSet === isUnknown && mayBeSet === /may or may not have been set/.test(ended.message)
    ? null
    : `a refund address that was ${tried.join(', then ')} ends with ${ended.outcome}: ${ended.message}`;
}
