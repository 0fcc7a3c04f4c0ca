import { APPROVER, SECOND } from './approver.ts';
import { PAYEES } from './coins.ts';

const [FIRST, OTHER] = PAYEES.XRP;
const payout = (seen: number | undefined, ...addresses: readonly unknown[]) => ({
  payout: { addresses, seen },
});
const to = (more: object = {}) => ({ address: FIRST, ...more });
const approve = (more: object) => ({ approve: { by: [APPROVER.publicKey], within: '15m', ...more } });
const cap = (coin: string, amount: string) => ({ cap: { coin, amount, per: 'order' } });

/** Rules that differ from others in one part. */
export const POLICY_RULES: readonly object[] = [
  payout(undefined, to()),
  payout(undefined, to(), { address: OTHER }),
  payout(1, to()),
  payout(2, to()),
  ...[{ memo: '1' }, { memo: '2' }, { network: 'XRP' }, { network: 'TRX' }].map((more) =>
    payout(undefined, to(more)),
  ),
  approve({}),
  approve({ within: '10m' }),
  approve({ coin: 'USDT', above: '0.01' }),
  approve({ by: [APPROVER.publicKey, SECOND.publicKey] }),
  ...['0.1', '0.2'].flatMap((amount) => [approve({ coin: 'BTC', above: amount }), cap('BTC', amount)]),
  cap('USDT', '0.1'),
  cap('USDT:TRX', '0.1'),
  ...[
    { coin: 'BTC' },
    { coin: 'BTC', side: 'deposit' },
    { coin: 'BTC', side: 'receive' },
    { coin: 'BTC', until: '2020-01-01T00:00:00Z' },
    { network: 'TRX' },
    { network: 'ETH' },
    { pair: 'BTC/XRP' },
    { pair: 'USDT/XRP' },
    { pair: 'XRP/BTC' },
  ].map((suspend) => ({ suspend })),
  ...[
    { from: ['BTC'] },
    { from: ['BTC', 'USDT'] },
    { from: ['BTC', 'USDT:TRX'] },
    { to: ['XRP'] },
    { from: ['BTC'], to: ['XRP'] },
    { from: ['BTC'], to: ['ETH'] },
    { type: 'fixed' },
  ].map((allow) => ({ allow })),
  ...[['minReceive'], ['label:team'], ['minReceive', 'label:team']].map((require) => ({ require })),
];
