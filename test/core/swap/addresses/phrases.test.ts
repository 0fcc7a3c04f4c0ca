import { generateMnemonic } from '@scure/bip39';
import { wordlist as czech } from '@scure/bip39/wordlists/czech.js';
import { wordlist as english } from '@scure/bip39/wordlists/english.js';
import { wordlist as french } from '@scure/bip39/wordlists/french.js';
import { wordlist as italian } from '@scure/bip39/wordlists/italian.js';
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js';
import { wordlist as korean } from '@scure/bip39/wordlists/korean.js';
import { wordlist as portuguese } from '@scure/bip39/wordlists/portuguese.js';
import { wordlist as chineseSimplified } from '@scure/bip39/wordlists/simplified-chinese.js';
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js';
import { wordlist as chineseTraditional } from '@scure/bip39/wordlists/traditional-chinese.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkAddress } from '../../../../src/core/swap/addresses/check.ts';
import { hasSeedPhrase } from '../../../../src/core/swap/addresses/phrases.ts';
import { checkMemo } from '../../../../src/core/swap/memo.ts';

const LISTS: Readonly<Record<string, readonly string[]>> = {
  english,
  spanish,
  french,
  italian,
  portuguese,
  czech,
  japanese,
  korean,
  chineseSimplified,
  chineseTraditional,
};
const LANGUAGES = Object.keys(LISTS).map((language) => ({ language, list: LISTS[language] ?? [] }));
const STRENGTHS = [128, 160, 192, 224, 256];

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The ways in which people write the same words down. */
const WAYS: readonly (readonly [way: string, write: (words: readonly string[]) => string])[] = [
  ['spaced', (words) => words.join(' ')],
  ['with ideographic spaces', (words) => words.join('\u3000')],
  ['joined', (words) => words.join('')],
  ['joined with capitals', (words) => words.map(capital).join('')],
  ['in upper case', (words) => words.join(' ').toUpperCase()],
  ['composed (NFC)', (words) => words.join(' ').normalize('NFC')],
  ['decomposed (NFKD)', (words) => words.join(' ').normalize('NFKD')],
  ['with commas', (words) => words.join(', ')],
  ['with hyphens', (words) => words.join('-')],
  ['numbered', (words) => words.map((word, i) => `${i + 1}. ${word}`).join(' ')],
  ['on separate lines', (words) => words.join('\n')],
  ['after a label', (words) => `seed: ${words.join(' ')}`],
];

describe.each(LANGUAGES)('a seed phrase in $language', ({ list }) => {
  test.each(WAYS)('is detected %s, at every length', async (_, write) => {
    for (const strength of STRENGTHS) {
      const phrase = write(generateMnemonic([...list], strength).split(/\s+/));
      expect(await hasSeedPhrase(phrase), phrase).toBe(true);
      expect(await checkMemo('NOSUCHNET', phrase), phrase).toMatchObject({
        ok: false,
        reason: expect.stringContaining('looks like a seed phrase, not a memo'),
      });
      expect(await checkAddress('BTC', phrase), phrase).toMatchObject({ ok: false, secret: true });
    }
  });

  test('is detected with any checksum', async () => {
    const phrases = fc.array(fc.constantFrom(...list), { minLength: 12, maxLength: 12 });
    const property = fc.asyncProperty(phrases, fc.constantFrom(' ', ''), async (words, space) => {
      expect(await hasSeedPhrase(words.join(space)), words.join(space)).toBe(true);
    });
    await fc.assert(property, { numRuns: 50 });
  });
});

test.each([
  ['with misspelled words', 'ozone drll grab fiber curtain grace pudding thank cruise elder eigth picnic'],
  [
    'without accents',
    'abaisser abandon abdiquer abeille abolir aborder aboutir aboyer abrasif abreuver abriter abroger',
  ],
  ['shortened to four letters', 'ozon dril grab fibe curt grac pudd than crui elde eigh picn'],
  ['of words that end with another word, joined', 'phone'.repeat(12)],
  ['of twelve short words with digits between them', 'act1add2age3aim4air5all6any7arm8art9ask1bag2bar3'],
  [
    'of 13 Monero words',
    'sequence atlas unveil summon pebbles tuesday beer rudely snake rockets different fuselage atlas',
  ],
  [
    'of 25 Monero words',
    'sequence atlas unveil summon pebbles tuesday beer rudely snake rockets different fuselage woven tagged bested dented vegan hover rapid fawns obvious muppet randomly seasons randomly',
  ],
])('a seed phrase %s is detected', async (_, phrase) => expect(await hasSeedPhrase(phrase)).toBe(true));

test.each([
  'Payment for invoice 2026-117, with many thanks from all of us at the shop in Springfield',
  'please credit this payment to the account of Mr. John Smith at the exchange, order number 99812 of the second of May',
  'Rechnung vom dritten November für die Lieferung der Bücher an die Schule in der Gartenstraße, Kunde Nummer zwölf',
  'paiement de la facture du mois de novembre pour la location de la maison de campagne, merci beaucoup de votre patience',
  'pago de la factura del mes de noviembre por el alquiler de la casa, muchas gracias por todo y hasta la próxima semana',
  '这是我给你的十一月份房租，请查收，谢谢你的帮助和耐心等待',
  'お支払いありがとうございます。ご注文の商品は来週発送いたします。',
  '이번 달 회비를 보냅니다. 확인해 주시면 감사하겠습니다. 좋은 하루 보내세요.',
  // As many words as a phrase of Monero, none of them twice.
  'Monthly consulting services invoice number seventeen thousand issued during November covering several workshops',
  // As many words as a phrase of Monero, the last one twice, but some are short.
  'Please send this payment to the shop for the order of the shop',
  // As many letters as a phrase in Chinese has words.
  'Оплата заказа',
  'SANDBOXAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'c29tZSBtZW1vIHRoYXQgaXMgYmFzZTY0IGVuY29kZWQgYW5kIG5vdGhpbmcgZWxzZQ',
  '104567812',
])('an ordinary memo is not mistaken for a seed phrase: %s', async (memo) => {
  expect(await hasSeedPhrase(memo)).toBe(false);
  expect(await checkMemo('NOSUCHNET', memo)).toEqual({ ok: true, memo });
});
