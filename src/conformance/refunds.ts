import { writeJson } from '../core/partner-api/json.ts';
import { textAt } from '../core/partner-api/json-path.ts';
import { MESSAGES } from '../core/partner-api/messages.ts';
import { assume, at, type Check, check, differs, passIf } from './check.ts';
import { NotTestable, type Probe, type Reply } from './probe.ts';
import { invalid, refused } from './refusals.ts';
import { fits, REFUND_UPDATE } from './shape.ts';
import { ADDRESSES, madeOrder, NO_ORDER } from './test-swap.ts';

const NO_FIELDS = { endpoint: 'update-refund-address', body: '{}' } as const;
const UNKNOWN_ORDER = {
  endpoint: 'update-refund-address',
  body: writeJson({ id: NO_ORDER, refundAddress: ADDRESSES.otherRefund }),
} as const;

/** Checks that need the payload accepted: the document does not name it, so another name is not an error. */
export function needingPayload(checks: readonly Check[]): Check[] {
  return checks.map((check) => ({
    ...check,
    run: async (probe) => {
      if (isPayloadRefused(await probe.ask(UNKNOWN_ORDER)))
        throw new NotTestable('the payload has another name');
      return check.run(probe);
    },
  }));
}

function isPayloadRefused({ status, body }: Reply): boolean {
  return status === 403 && body['message'] === MESSAGES.INVALID_PAYLOAD;
}

/** Checks of the test order's refund address, and of update-refund-address's refusals. */
export const REFUND_CHECKS = [
  ...needingPayload(
    at(
      'update-refund-address',
      check('fields of the answer', 'message, orderNumber, newRefundAddress', async (probe) =>
        fits((await updated(probe)).reply, REFUND_UPDATE),
      ),
      check('as requested', 'the order and its new address', async (probe) => {
        const { order, reply } = await updated(probe);
        if (!reply.ok) return differs(reply.words);
        const address = textAt(reply.json, 'newRefundAddress')?.toLowerCase();
        const same =
          textAt(reply.json, 'orderNumber') === order && address === ADDRESSES.otherRefund.toLowerCase();
        return passIf(same, 'a different order or address');
      }),
      refused('an unknown order', UNKNOWN_ORDER, { status: 404, message: MESSAGES.TRANSACTION_NOT_FOUND }),
      invalid('no fields', NO_FIELDS),
    ),
  ),
  ...at(
    'update-refund-address',
    assume(
      'payload for update-refund-address',
      'the payload',
      'update-refund-address is accepted',
      async (probe) => {
        const reply = await probe.ask(UNKNOWN_ORDER);
        return passIf(!isPayloadRefused(reply), reply.words);
      },
    ),
    assume(
      'refund address in which states',
      'message in state New',
      MESSAGES.REFUND_UPDATED,
      async (probe) => {
        const { reply } = await updated(probe);
        const message = textAt(reply.json, 'message');
        return passIf(reply.ok && message === MESSAGES.REFUND_UPDATED, message ?? reply.words);
      },
    ),
    assume('success code', 'code of a success', '200', async (probe) => {
      const { status } = (await updated(probe)).reply;
      return passIf(status === 200, String(status));
    }),
  ),
];

async function updated(probe: Probe): Promise<{ order: string; reply: Reply }> {
  const { order } = await madeOrder(probe);
  const body = writeJson({ id: order, refundAddress: ADDRESSES.otherRefund });
  return { order, reply: await probe.ask({ endpoint: 'update-refund-address', body }) };
}
