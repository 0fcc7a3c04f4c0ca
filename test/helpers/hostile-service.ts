import { sendJson } from './raw-server.ts';
import { createdAs, type Plan, type SwapService, startSwapService } from './swap-service.ts';

/**
 * Everything that a terminal would obey or a reader would not see: a title, the clipboard, a cleared screen, hidden
 * text, the same in C1, directions, widths, and a line of ours that is none.
 */
export const HOSTILE =
  'E\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u001b[2J\u001b[8m\u009b31m\u009d0;x\u009c\r\nerror: all is well\u2028\u202e\u2066\u200b\ufeff\u{e0041}\b\u007fX';

/** How {@link HOSTILE} begins when it has been through the gate. */
export const HOSTILE_SHOWN = 'E<U+001B>]0;owned<U+0007><U+001B>]52;c;';

const network = (code: string) => ({ subName: code, name: HOSTILE, memoNeeded: false });
/** Codes of coins that hold it all, on networks whose addresses are known. */
const COINS = [
  { subName: `B${HOSTILE}`, name: HOSTILE, image: HOSTILE, networks: [network('BTC'), network(HOSTILE)] },
  { subName: `C${HOSTILE}`, name: HOSTILE, image: HOSTILE, networks: [network('ETH')] },
  { subName: 'BTC', name: HOSTILE, image: HOSTILE, networks: [network('BTC')] },
  { subName: 'ETH', name: HOSTILE, image: HOSTILE, networks: [network('ETH'), network(HOSTILE)] },
];

const quote = {
  pair: HOSTILE,
  amount: 0.1,
  exchangeRate: 25,
  receive: 2.5,
  minAmount: 0.001,
  maxAmount: 100,
};

const plan: Plan = {
  'get-all-coins': ({ query }, response) => {
    const [list, key] =
      query.get('method') === '1' ? ['depositCoins', 'deposits'] : ['withdrawCoins', 'withdraws'];
    const coins = COINS.map(({ networks, ...coin }) => ({ ...coin, networks: { [key]: networks } }));
    sendJson(response, 200, { pagination: { pageCount: 1, totalCount: coins.length }, [list]: coins });
  },
  'get-coin-network': (_, response) =>
    sendJson(response, 200, { deposit: [network(HOSTILE)], withdraws: [network(HOSTILE), network('ETH')] }),
  'exchange-coin': ({ query }, response) => {
    const refused = query.get('amount') === '7';
    const pair = `${query.get('coinFrom')}_${query.get('coinTo')}`;
    if (refused) sendJson(response, 422, { statusCode: 422, message: HOSTILE, error: HOSTILE });
    else sendJson(response, 200, { ...quote, pair });
  },
  'get-transaction': ({ query }, response) => {
    const side = { coin: { name: HOSTILE, fullName: HOSTILE, network: 'BTC', value: 1 }, address: HOSTILE };
    sendJson(response, 200, {
      orderNumber: query.get('id'),
      status: 99,
      type: { typeSwap: 2 },
      pairs: { deposit: { ...side, memo: HOSTILE }, receive: { ...side, memo: HOSTILE } },
      receiveTransaction: { txId: HOSTILE, receivedTime: HOSTILE, gettingInTheBlock: HOSTILE, amount: 1 },
      swapTime: { start: HOSTILE, end: HOSTILE, duration: HOSTILE },
      createdAt: HOSTILE,
      txId: HOSTILE,
      receivedTime: HOSTILE,
      gettingInTheBlock: HOSTILE,
    });
  },
  'create-transaction': createdAs((swap) => {
    swap.swapTime = { start: HOSTILE, end: '', duration: HOSTILE };
    swap.pairs.deposit.coin.fullName = HOSTILE;
    swap.pairs.receive.coin.fullName = HOSTILE;
  }),
  'update-refund-address': (_, response) => sendJson(response, 400, { message: [HOSTILE, HOSTILE] }),
};

/** A service every one of whose texts, but what must be right for it to be used at all, is hostile. */
export function startHostileService(changes: Plan = {}): Promise<SwapService> {
  return startSwapService({ ...plan, ...changes });
}
