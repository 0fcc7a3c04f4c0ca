import { sendJson } from '../../../helpers/raw-server.ts';
import { inScene, type Scene } from '../../../helpers/scene.ts';
import { ADDRESSES, type Plan, type WireSwap, wireSwapIn } from '../../../helpers/swap-service.ts';

/** Order number of the swap of {@link inStory}. */
export const ORDER = 'KQWZPA';
export const DEPOSIT_TX = 'b17c0de0'.repeat(8);
export const PAYOUT_TX = `0x${'9a10fee1'.repeat(8)}`;

/** A scene with one created swap, of which the service says what it is reported to. */
export interface Story extends Scene {
  /** Looks at the swap as it is in a status with some values changed. */
  poll(status: number, change?: (swap: WireSwap) => object): Promise<void>;
}

/** Acts in a scene whose service answers with one swap, made with these flags of `create`. */
export async function inStory(
  flags: readonly string[],
  act: (story: Story) => Promise<void>,
  plan: Plan = {},
): Promise<void> {
  let answer: object = wireSwapIn(9, ORDER);
  await inScene(
    { 'get-transaction': (_, response) => sendJson(response, 200, answer), ...plan },
    async (scene) => {
      await scene.create(flags);
      await act({
        ...scene,
        poll: async (status, change = (swap) => swap) => {
          const swap = wireSwapIn(status, ORDER);
          const payout = status === 4 ? { txId: PAYOUT_TX, address: ADDRESSES.eth, amount: 2.5 } : {};
          const receiveTransaction = { ...swap.receiveTransaction, ...payout };
          answer = change({ ...swap, txId: status === 4 ? DEPOSIT_TX : '', receiveTransaction });
          await scene.run(['status', ORDER]);
        },
      });
    },
  );
}

/** A swap whose deposit was seen. */
export function withDeposit(swap: WireSwap, confirmation = 1): object {
  return { ...swap, txId: DEPOSIT_TX, receivedTime: '2026-01-31T12:05:00.000Z', confirmation };
}
