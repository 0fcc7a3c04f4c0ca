import { describe, expect, it } from 'vitest';
import type { Visible } from '../../../src/base/text.ts';
import { joined, linesOf, shown, visible, visibleJson, visibleLines } from '../../../src/base/text.ts';
import { renderDetails } from '../../../src/cli/terminal/details.ts';
import { renderQr } from '../../../src/cli/terminal/qr.ts';
import { PLAIN } from '../../../src/cli/terminal/style.ts';

const EVIL = 'X\u001b]0;title\u0007\nerror: all is well\u202e';
const SHOWN = 'X<U+001B>]0;title<U+0007><U+000A>error: all is well<U+202E>';

describe('untrusted text', () => {
  it('is escaped so that its line breaks create no new line', () => {
    expect(visible(EVIL)).toBe(SHOWN);
    expect(renderDetails([[EVIL, EVIL, undefined, 'prose']], PLAIN, 200)).toBe(` ${SHOWN}  ${SHOWN}\n`);
  });

  it('is escaped in JSON keys and values without changing the indentation', () => {
    const indented = (value: unknown) => JSON.stringify(value, null, 2);
    expect(visibleJson({ [EVIL]: [EVIL] }, indented)).toBe(`{\n  "${SHOWN}": [\n    "${SHOWN}"\n  ]\n}`);
    // Without any other character that JSON does not escape.
    expect(visibleJson('\u001b')).toBe('"<U+001B>"');
  });

  it('in a QR code is drawn only with block characters', async () => {
    expect(await renderQr(EVIL, PLAIN, 200)).toMatch(/^(?: [ ▀▄█]+\n)+$/);
  });
});

it('escaped text is not escaped again in templates, joins and lines', () => {
  const line: Visible = shown`1 ${visible('BTC\u001b')} = ${2} ${''}`;
  expect(line).toBe('1 BTC<U+001B> = 2 ');
  expect(joined([line, line], shown`\n`)).toBe(`${line}\n${line}`);
  expect(linesOf(shown`a\nb\n`)).toEqual(['a', 'b', '']);
  expect(visibleLines('a\u001b\nb')).toBe('a<U+001B>\nb');
});
