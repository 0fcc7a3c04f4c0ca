import type { LoggedRequest } from './request.ts';

/** Stands for what is not to be shown. */
const HIDDEN = '<hidden>';

const QUERY_VALUE = /(?<=^|&)([^=&]*(?:address|memo|tag)[^=&]*)=[^&]*/gi;
const JSON_VALUE = /("[^"]*(?:address|memo|tag)[^"]*"\s*:\s*)"((?:[^"\\]|\\.)+)("|$|…$)/gi;

/** Words so long are addresses, or transactions that lead to them; names and amounts are shorter. */
const LONG_WORD = /[\p{L}\p{N}_%:-]{20,}/gu;
const PLAIN_WORD = /^[a-z-]+$/;

/**
 * A request without its addresses and memos, so that it can be shown to others: what has such a name, the same text
 * wherever else it stands, and every word of twenty characters or more.
 */
export function withoutAddresses(request: LoggedRequest): LoggedRequest {
  const { path, query, body, answer } = request;
  const values = [body, answer].flatMap((text) =>
    [...(text ?? '').matchAll(JSON_VALUE)].map(([, , value = '']) => value),
  );
  const known = [...new Set(values)].filter((value) => value.length >= 4);
  const hide = (text: string) => {
    let rest = text.replace(QUERY_VALUE, `$1=${HIDDEN}`).replace(JSON_VALUE, `$1"${HIDDEN}$3`);
    for (const value of known) rest = rest.replaceAll(value, HIDDEN);
    return rest.replace(LONG_WORD, (word) => (PLAIN_WORD.test(word) ? word : HIDDEN));
  };
  return {
    ...request,
    path: hide(path),
    query: hide(query),
    body: body === null ? null : hide(body),
    answer: answer === null ? null : hide(answer),
  };
}
