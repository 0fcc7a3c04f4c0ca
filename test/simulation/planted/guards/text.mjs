const BASE_TEXT = 'src/base/text.ts';
const ENCODE = 'src/cli/terminal/encode.ts';
const JSON_FILE = 'src/core/partner-api/json.ts';
const TICKET = 'src/cli/commands/history/show.ts';

export const TEXT = [
  {
    name: 'ascii-controls-shown',
    what: 'control characters of ASCII reach the terminal',
    file: BASE_TEXT,
    find: '  return /^[\\x20-\\x7e]*$/.test(text);',
    replace: '  return /^[\\x00-\\x7e]*$/.test(text);',
  },
  {
    name: 'bidi-shown',
    what: 'bidirectional and zero-width characters reach the terminal',
    file: BASE_TEXT,
    find: '\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Default_Ignorable_Code_Point}',
    replace: '\\p{Zl}\\p{Zp}\\p{Cs}',
  },
  {
    name: 'annotations-shown',
    what: 'marks of annotations, which are not printed, reach the terminal',
    file: BASE_TEXT,
    find: '\\p{Cc}\\p{Cf}\\p{Zl}',
    replace: '\\p{Cc}\\p{Zl}',
  },
  {
    name: 'invisible-letters-shown',
    what: 'letters that no one sees, such as the Hangul filler, reach the terminal',
    file: BASE_TEXT,
    find: '\\p{Default_Ignorable_Code_Point}',
    replace: '',
  },
  {
    name: 'json-escapes-controls',
    what: 'a reader of JSON gets control characters, which are only escaped there',
    file: BASE_TEXT,
    find: ' && !/\\\\[bfnrtu]/.test(text)',
    replace: '',
  },
  {
    name: 'json-keys-shown',
    what: 'the names in JSON may have hidden characters',
    file: BASE_TEXT,
    find: '[visible(key), visibleDeep(item)]',
    replace: '[key, visibleDeep(item)]',
  },
  {
    name: 'unchecked-text-in-view',
    what: 'a text of the service passes the gate by a cast',
    file: TICKET,
    find: 'const text = visible(value);',
    replace: 'const text = value as Visible;',
  },
  {
    name: 'code-span-closed',
    what: 'a text of the service closes its code span in a support ticket',
    file: TICKET,
    find: "const fence = '`'.repeat(longest + 1);",
    replace: "const fence = '`';",
  },
  {
    name: 'code-span-of-lines',
    what: 'a text of the service begins a line of a support ticket',
    file: TICKET,
    find: 'const text = visible(value);',
    replace: 'const text = value;',
  },
  {
    name: 'formula-kept',
    what: 'a cell that is a formula is written to CSV as it is',
    file: ENCODE,
    find: "? `'${clean}` : clean;",
    replace: '? clean : clean;',
  },
  {
    name: 'formula-after-space',
    what: 'a formula after a space is written to CSV as it is',
    file: ENCODE,
    find: '/^\\s*[=+\\-@|%＝＋－＠]/',
    replace: '/^[=+\\-@|%＝＋－＠]/',
  },
  {
    name: 'formula-in-wide-letters',
    what: 'a formula in full-width characters is written to CSV as it is',
    file: ENCODE,
    find: '/^\\s*[=+\\-@|%＝＋－＠]/',
    replace: '/^\\s*[=+\\-@|%]/',
  },
  {
    name: 'formula-in-plain-line',
    what: 'a formula in a line without quotes is written to CSV as it is',
    file: ENCODE,
    find: "PLAIN.test(cells.join('')) && !MAYBE_FORMULA.test(line)",
    replace: "PLAIN.test(cells.join(''))",
  },
  {
    name: 'digits-of-double',
    what: 'a number of a response keeps only the digits of a double',
    file: JSON_FILE,
    find: 'new LosslessNumber(digits)',
    replace: 'new LosslessNumber(String(Number(digits)))',
  },
  {
    name: 'digits-lost-in-json',
    what: 'a number with more digits than a double is printed as a double',
    file: JSON_FILE,
    find: 'JSON.stringify(quick) === value.value ? quick : value.value',
    replace: 'quick',
  },
  {
    name: 'last-of-two-values',
    what: 'of two values of one key of a response the last one counts',
    file: JSON_FILE,
    find: 'parse(text, undefined, {',
    replace: 'parse(text, undefined, { onDuplicateKey: ({ newValue }) => newValue,',
  },
];
