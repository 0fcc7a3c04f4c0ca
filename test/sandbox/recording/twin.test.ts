import { describe, expect, it } from 'vitest';
import { HABIT_NAMES, type HabitName } from '../../../src/partner-api/habits.ts';
import { overlaid, readOverlay } from '../../../src/sandbox/overlay/overlay.ts';
import { lyingTransport, sandboxApp } from '../../conformance/lying-app.ts';
import { findingsOf, keeping, learnedFrom, listCoins, told, twinFindings } from './twins.ts';

const MIXES: readonly (readonly [string, object])[] = [
  ['no habit', {}],
  ['every habit', { habits: HABIT_NAMES }],
  ['habits of amounts', { habits: ['text-amounts', 'doubles', 'receive-amount'] }],
  ['habits of refusals', { habits: ['unprocessable', 'exact-case', 'networks-required'] }],
  ['habits of the rest', { habits: ['no-maximum', 'expired-at', 'no-rate-headers', 'memo-required'] }],
  [
    'other coins, bounds and decisions',
    {
      coins: [
        { code: 'ETH', name: 'Ethereum', usd: '3000', assets: [{ network: 'ERC20', decimals: 18 }] },
        {
          ...{ code: 'USDT', name: 'Tether USD', usd: '1' },
          assets: [
            { network: 'ERC20', decimals: 6, payoutFee: '2' },
            { network: 'TRC20', decimals: 6 },
          ],
        },
        { code: 'XRP', name: 'XRP', usd: '2', assets: [{ network: 'XRP', decimals: 6, memoNeeded: true }] },
      ],
      bounds: [{ from: 'ETH:ERC20', to: 'USDT:ERC20', min: '0.0150', max: '7' }],
      habits: ['text-amounts'],
      decisions: {
        readStatus: 203,
        createStatus: 200,
        updateStatus: 202,
        defaultLimit: 2,
        maxLimit: 2,
        overMaxLimit: 'cut',
        defaultListing: 'receive',
        unknownCoin: { status: 400, message: 'No such coin' },
        unknownPair: { status: 400, message: 'No such pair' },
        times: 'plain',
        depositWindow: { float: '7m' },
        rateLimit: '300/60s',
        fees: { fixed: '0.5', float: '2' },
        refundMessage: 'Saved',
        boundsVerb: 'exchange',
        validationTexts: { missing: '', string: '{field}: text, please', choice: '{field}: one of {values}' },
        maxBodyBytes: 1_048_576,
        extraFields: { 'exchange-coin': { networkFee: '0' }, 'get-all-coins': { 'depositCoins[].rank': 1 } },
      },
    },
  ],
];

describe('a sandbox with what was learned of a service', () => {
  it.each(MIXES)('is found by conformance to be as that service, with %s', async (_, like) => {
    const { catalogue, habits, choices } = overlaid(readOverlay(JSON.stringify(like)), {});
    const app = await sandboxApp(habits, { catalogue, choices });
    const service = {
      transport: lyingTransport(app, (answer) => answer),
      credentials: app.credentials,
      baseUrl: 'https://api.example.com/v1',
    };
    const entries: string[] = [];
    const transport = keeping(service, entries);
    await listCoins(transport, 2);
    const findings = told(await findingsOf({ ...service, transport }));
    await app.close();
    const learned = await learnedFrom(entries);
    expect(learned.service).toBe('https://api.example.com/v1');
    expect(new Set(learned.overlay['habits'] as HabitName[])).toEqual(habits ?? new Set());
    expect(told(await twinFindings(learned))).toEqual(findings);
  });
});
