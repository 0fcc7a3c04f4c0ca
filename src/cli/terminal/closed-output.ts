import { fstatSync, readFileSync, statSync } from 'node:fs';

const ACCESS_MODE = 0o3;
const READ_AND_WRITE = 0o2;
const SHELL = /^(?:ba|da|z|k|mk|fi|a)?sh\n$|^busybox\n$/;

/**
 * Whether a shell started this process with standard output closed, as by `>&-`. Node puts the null device in its
 * place, opened for reading and writing, where a shell's `> /dev/null` is opened only for writing. Other programs that
 * discard output open it as Node does, so this holds only for the child of a shell that does not discard its own. Always
 * false where there is no /proc.
 */
export function isOutputClosed(parent = process.ppid): boolean {
  try {
    const found = fstatSync(1);
    // Not the other way round: after the stat of a pipe, Node 20 stops resolving the links of what it requires next.
    const nothing = statSync('/dev/null');
    if (!found.isCharacterDevice() || found.rdev !== nothing.rdev) return false;
    if (!isOpenForBoth('self') || !SHELL.test(readFileSync(`/proc/${parent}/comm`, 'utf8'))) return false;
    // Some shells close their own while they wait.
    const output = statSync(`/proc/${parent}/fd/1`, { throwIfNoEntry: false });
    return output === undefined || output.rdev !== found.rdev || !isOpenForBoth(parent);
  } catch {
    return false;
  }
}

/** Whether standard output of a process is open for reading and writing. */
function isOpenForBoth(process: number | 'self'): boolean {
  const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/${process}/fdinfo/1`, 'utf8'))?.[1];
  return (Number.parseInt(flags ?? '0', 8) & ACCESS_MODE) === READ_AND_WRITE;
}
