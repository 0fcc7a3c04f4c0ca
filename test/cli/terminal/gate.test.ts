import { describe, expect, it } from 'vitest';
import type { Visible } from '../../../src/base/text.ts';
import { joined, linesOf, shown, visible, visibleJson, visibleLines } from '../../../src/base/text.ts';
import { renderDetails } from '../../../src/cli/terminal/details.ts';
import { renderQr } from '../../../src/cli/terminal/qr.ts';
import { PLAIN } from '../../../src/cli/terminal/style.ts';

const EVIL = 'X\u001b]0;title\u0007\nerror: all is well\u202e';
const SHOWN = 'X<U+001B>]0;title<U+0007><U+000A>error: all is well<U+202E>';

describe('what takes any text makes it visible itself', () => {
  it('in one piece: a line break from outside makes no line', () => {
    expect(visible(EVIL)).toBe(SHOWN);
    expect(renderDetails([[EVIL, EVIL, undefined, 'prose']], PLAIN, 200)).toBe(` ${SHOWN}  ${SHOWN}\n`);
  });

  it('in JSON, keys too, where only the writer of the text breaks lines', () => {
    const indented = (value: unknown) => JSON.stringify(value, null, 2);
    expect(visibleJson({ [EVIL]: [EVIL] }, indented)).toBe(`{\n  "${SHOWN}": [\n    "${SHOWN}"\n  ]\n}`);
  });

  it('and a code to scan is drawn with blocks alone, whatever it holds', async () => {
    expect(await renderQr(EVIL, PLAIN, 200)).toMatch(/^(?: [ ▀▄█]+\n)+$/);
  });
});

describe('visible texts', () => {
  it('stay as they are in templates, among others and as lines', () => {
    const line: Visible = shown`1 ${visible('BTC\u001b')} = ${2} ${''}`;
    expect(line).toBe('1 BTC<U+001B> = 2 ');
    expect(joined([line, line], shown`\n`)).toBe(`${line}\n${line}`);
    expect(linesOf(shown`a\nb\n`)).toEqual(['a', 'b', '']);
    expect(visibleLines('a\u001b\nb')).toBe('a<U+001B>\nb');
  });
});
