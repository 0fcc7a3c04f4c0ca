import { beforeEach, describe, expect, it } from 'vitest';
import type { CreateIntent } from '../../../src/core/ledger/entry.ts';
import type { Ledger } from '../../../src/core/ledger/ledger.ts';
import type { Labels } from '../../../src/core/swap/labels.ts';
import type { Swap } from '../../../src/core/swap/swap.ts';
import { findSwaps } from '../../../src/core/swaps/find.ts';
import { isSecretText, nothingFound } from '../../../src/core/swaps/named-swap.ts';
import { IN_LONG_RUN } from '../../helpers/random-runs.ts';
import { BOTH_DATABASES } from '../database/databases.ts';
import { claimed, INTENT, OTHER, OWNER, swapOf } from '../ledger/entries.ts';
import { ledgerAt } from '../ledger/events/ledgers.ts';
import { checkRandomFacts } from '../ledger/random-facts.ts';

const TX = 'b17c0de0'.repeat(8);
const EVM_TX = `0x${'5afe1234'.repeat(8)}`;
const TON_TX = 'q1R5mTy9ZJk2mXn4cT0sV7bYw3uQp6aLgHd8eFKx+/A=';
const XRP = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const CASHADDR = 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';
const SHORT = [CASHADDR.slice(12), CASHADDR.toUpperCase()];
const LEGACY = '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu';
const X_ADDRESS = 'X7gJ5YK8abHf2eTPWPFHAAot8Knck11QGqmQ7a6a3Z8PJvk';
const CLASSIC = 'rhvh5SrgBL5V8oeV9EpDuVszeJSSCEkbPc';

describe.each(BOTH_DATABASES)('findSwaps on $kind', ({ fresh }) => {
  let ledger: Ledger;
  let time = 0;
  beforeEach(async () => {
    ledger = await ledgerAt(await fresh());
  });

  /** Records a created swap, with these parts instead of the usual ones. */
  async function made(
    order: string,
    parts: {
      key?: string;
      labels?: Labels;
      intent?: Partial<CreateIntent>;
      deposit?: Partial<Swap['deposit']>;
      receive?: Partial<Swap['receive']>;
      owner?: typeof OWNER;
    } = {},
  ): Promise<string> {
    const { key = null, labels = {}, intent = {}, owner = OWNER } = parts;
    const content = { ...INTENT, ...intent, labels };
    const entry = await claimed(ledger, owner, content, key, ++time);
    const usual = swapOf(order);
    const address = content.address;
    const swap = {
      ...usual,
      deposit: { ...usual.deposit, ...parts.deposit },
      receive: { ...usual.receive, address, memo: content.memo, ...parts.receive },
    };
    await ledger.created(entry.id, { swap, doubts: [], at: time }, content.refundAddress);
    return entry.id;
  }

  const found = async (text: string, owner: typeof OWNER | null = OWNER) =>
    (await findSwaps(ledger, text, owner)).map(({ entry, by, isPrefix }) =>
      [entry.order, by, ...(isPrefix ? ['prefix'] : [])].join(' '),
    );

  const ETH = { coin: 'ETH', network: 'ETH' };
  const BCH = { coin: 'BCH', network: 'BCH' };
  const onEth = { intent: { receive: ETH, address: EVM, memo: null }, receive: ETH };

  it('finds a swap by each of its facts and by no other text', async () => {
    const id = await made('KQWZPA', {
      key: 'order-991',
      labels: { customer: 'Müller & Co', team: 'ops' },
      intent: { refundAddress: SEGWIT, memo: 'a memo, of 3 words' },
      deposit: { memo: '778899', txId: TX },
      receive: { txId: EVM_TX },
    });
    await made('OTHERS', { intent: { address: CLASSIC, memo: null }, deposit: { address: 'bc1qother' } });
    const facts = [
      ['KQWZPA', 'order'],
      ['kqwzpa', 'order'],
      [id, 'id'],
      [id.toUpperCase(), 'id'],
      ['order-991', 'key'],
      ['customer=Müller & Co', 'label'],
      ['customer=Mu\u0308ller & Co ', 'label'],
      ['team=ops', 'label'],
      [swapOf('').deposit.address ?? '', 'depositAddress'],
      [XRP, 'payoutAddress'],
      [SEGWIT, 'refundAddress'],
      ['778899', 'memo'],
      ['a memo, of 3 words', 'memo'],
      [TX, 'transaction'],
      [TX.toUpperCase(), 'transaction'],
      [`0x${TX}`, 'transaction'],
      [TX.slice(0, 8), 'transaction prefix'],
      [TX.slice(0, 40), 'transaction prefix'],
      [EVM_TX, 'transaction'],
      [EVM_TX.slice(2), 'transaction'],
      [EVM_TX.slice(0, 8), 'transaction prefix'],
      [EVM_TX.slice(2, 10).toUpperCase(), 'transaction prefix'],
    ] as const;
    for (const [text, by] of facts) expect([text, await found(text)]).toEqual([text, [`KQWZPA ${by}`]]);
    for (const text of [
      ...['KQWZP', 'order-99', 'ORDER-991', 'ops', 'team=op', 'TEAM=ops', 'a memo', '77889'],
      ...[TX.slice(0, 7), TX.slice(8, 20).replace('b1', 'b2'), XRP.toLowerCase(), SEGWIT.slice(0, 20), ' '],
    ])
      expect([text, await found(text)]).toEqual([text, []]);
  });

  it.each([
    ['an EVM address in any letter case', EVM, [EVM.toLowerCase(), `0X${EVM.slice(2).toUpperCase()}`], ETH],
    ['a bech32 address in upper case', SEGWIT, [SEGWIT.toUpperCase()], { coin: 'BTC', network: 'BTC' }],
    ['a CashAddr without its prefix, and in the legacy form', CASHADDR, [...SHORT, LEGACY], BCH],
  ] as const)('finds the payout to %s', async (_, address, spellings, coin) => {
    await made('KQWZPA', { intent: { receive: coin, address, memo: null }, receive: coin });
    for (const text of spellings) expect([text, await found(text)]).toEqual([text, ['KQWZPA payoutAddress']]);
  });

  it('finds swaps by an X-address or by its account and tag', async () => {
    const tagged = { address: CLASSIC, memo: '1337' };
    await made('TAGGED', { intent: tagged });
    await made('XFORM', { intent: tagged, receive: { address: X_ADDRESS, memo: null } });
    await made('UNTAGGED', { intent: { address: CLASSIC, memo: '7' } });
    expect((await found(X_ADDRESS)).toSorted()).toEqual(['TAGGED payoutAddress', 'XFORM payoutAddress']);
    expect(await found(CLASSIC)).toHaveLength(3);
  });

  it('respects letter case in transaction IDs where the network does', async () => {
    await made('KQWZPA', { receive: { txId: TON_TX } });
    expect(await found(TON_TX.slice(0, 12))).toEqual(['KQWZPA transaction prefix']);
    expect(await found(TON_TX.toLowerCase())).toEqual([]);
  });

  it('lists all matches newest first, and prefers full matches to prefixes', async () => {
    for (let index = 0; index < 3; index += 1)
      await made(`PAID${index}`, { ...onEth, deposit: { txId: `${TX.slice(0, 63)}${index}` } });
    expect(await found(EVM)).toEqual([2, 1, 0].map((index) => `PAID${index} payoutAddress`));
    expect(await found(TX.slice(0, 63))).toHaveLength(3);
    expect(await found(`${TX.slice(0, 63)}1`)).toEqual(['PAID1 transaction']);
  });

  it('lists each matching swap once, even if several of its facts match', async () => {
    await made('123456', { key: '123456', intent: { memo: '123456' } });
    expect(await found('123456')).toEqual(['123456 order']);
    await made('KQWZPA', { intent: { memo: '123456' } });
    expect((await found('123456')).toSorted()).toEqual(['123456 order', 'KQWZPA memo']);
  });

  it('finds only the entry with the given ID, even if another swap uses that text as its idempotency key', async () => {
    const id = await made('KQWZPA');
    await made('OTHERS', { key: id });
    expect(await found(id)).toEqual(['KQWZPA id']);
  });

  it('finds swaps of one account or of all', async () => {
    await made('OURS', onEth);
    await made('THEIRS', { ...onEth, owner: OTHER });
    expect(await found(EVM)).toEqual(['OURS payoutAddress']);
    expect(await found(EVM, OTHER)).toEqual(['THEIRS payoutAddress']);
    expect((await found(EVM, null)).toSorted()).toEqual(['OURS payoutAddress', 'THEIRS payoutAddress']);
  });

  it('finds what polls, notes, imports and repeated creates have added', async () => {
    const id = await made('KQWZPA');
    const swap = swapOf('KQWZPA', 3);
    const at = 3;
    await ledger.seen(OWNER, { swap: { ...swap, deposit: { ...swap.deposit, txId: TX } }, doubts: [], at });
    expect(await found(TX)).toEqual(['KQWZPA transaction']);
    await ledger.addSent(id, { txId: EVM_TX, from: null, at, dueAt: 9 });
    expect(await found(EVM_TX)).toEqual(['KQWZPA transaction']);
    await ledger.refundAddressSet(OWNER, { swap, doubts: [], at }, SEGWIT);
    expect(await found(SEGWIT)).toEqual(['KQWZPA refundAddress']);
    await ledger.imported(OTHER, { swap: swapOf('MADEBY'), doubts: [], at });
    expect(await found('MADEBY', OTHER)).toEqual(['MADEBY order']);
    expect(await found(XRP, OTHER)).toEqual(['MADEBY payoutAddress']);
    // A create that was refused is sent again with its key, and another address.
    const entry = await claimed(ledger, OWNER, INTENT, 'again', at);
    await ledger.settle(entry.id, { outcome: 'refused', reason: 'no', at });
    await ledger.claim(OWNER, { ...INTENT, address: CLASSIC, labels: { try: '2' } }, 'again', at);
    expect(await found(CLASSIC)).toEqual([' payoutAddress']);
    expect(await found('try=2')).toEqual([' label']);
  });

  it('finds both the agreed address and the one in a doubtful response', async () => {
    await made('KQWZPA');
    const swap = swapOf('KQWZPA');
    const changed = { ...swap, deposit: { ...swap.deposit, address: SEGWIT } };
    await ledger.seen(OWNER, { swap: changed, doubts: ['deposit_changed'], at: 3 });
    expect(await found(SEGWIT)).toEqual(['KQWZPA depositAddress']);
    expect(await found(swap.deposit.address ?? '')).toEqual(['KQWZPA depositAddress']);
  });

  it.runIf(IN_LONG_RUN)('finds all matching swaps for each of 200 random facts', async () => {
    await checkRandomFacts(await fresh(), 1000, 200);
  });
});

it.each(['L5nJeqKmpHp4P7F8ZYyjwc5a7P4d8EabuGAzfGJk7yC1BJyzNaEd', 'x'.repeat(400)])(
  'the error for a text that no swap has does not repeat a private key or a long text: %.20s',
  async (text) => expect((await nothingFound(text, '')).message).not.toContain(text),
);

it('twelve words of any language are a secret as search text', async () => {
  expect(await isSecretText('wort '.repeat(12))).toBe(true);
  expect(await isSecretText('wort '.repeat(11))).toBe(false);
});
