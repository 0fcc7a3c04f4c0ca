import { Session } from 'node:inspector/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decode } from '@jridgewell/sourcemap-codec';

const ROOT = join(import.meta.dirname, '..', '..');

/** Counts from now on how often each branch of what is loaded runs. Loads of before are not counted. */
export async function countBranches() {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return session;
}

/**
 * The branches of the source files of some folders in a bundle: functions, and parts of functions that V8 counts apart, as
 * the arms of an `if`. A branch that ran exactly as often as what is around it is no branch of its own, so the share that
 * ran is rather larger. `bundle` is its code, with its source map.
 */
export async function branchesOf(session, { url, code, map }, folders) {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const functions = result.find((script) => script.url === url)?.functions ?? [];
  const sourceOf = sourceFinder(code, map, fileURLToPath(url));
  const files = new Map();
  const nameOf = namesOf(functions);
  for (const each of functions)
    for (const { startOffset, count } of each.ranges) {
      const place = sourceOf(startOffset);
      if (!folders.some((folder) => place?.file.startsWith(folder))) continue;
      const { ran, missed } = files.get(place.file) ?? { ran: 0, missed: [] };
      const branch = { line: place.line, within: nameOf(each) };
      files.set(place.file, {
        ran: ran + (count > 0 ? 1 : 0),
        missed: count > 0 ? missed : [...missed, branch],
      });
    }
  return files;
}

/** The name of a function or, if it has none, of the function around it that has one. */
function namesOf(functions) {
  const extentOf = ({ ranges: [{ startOffset, endOffset }] }) => [startOffset, endOffset];
  const named = functions.filter(({ functionName }) => functionName !== '');
  return (each) => {
    const [start, end] = extentOf(each);
    const around = named.filter((other) => {
      const [from, to] = extentOf(other);
      return from <= start && end <= to;
    });
    const lengthOf = (other) => extentOf(other)[1] - extentOf(other)[0];
    const [nearest] = around.sort((a, b) => lengthOf(a) - lengthOf(b));
    return (nearest?.functionName ?? '').replace(/\$[0-9]+$/, '');
  };
}

/** Finds the file and line of the source for a place in a bundle. */
function sourceFinder(code, map, path) {
  const { mappings, sources } = JSON.parse(map);
  const lines = decode(mappings);
  const starts = [0];
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [line, last] = [0, starts.length - 1];
    while (line < last) {
      const middle = (line + last + 1) >> 1;
      if (starts[middle] <= offset) line = middle;
      else last = middle - 1;
    }
    const column = offset - starts[line];
    const segment = lines[line]?.findLast(([at]) => at <= column) ?? lines[line]?.[0];
    if (segment?.[1] === undefined) return null;
    const file = relative(ROOT, join(dirname(path), sources[segment[1]])).replaceAll('\\', '/');
    return { file, line: segment[2] + 1 };
  };
}
