/** A sentence on who may read files on Windows, which swapctl neither sets nor checks. */
export function windowsAccess(folder: string): string {
  return `Windows has no file modes: the access list of ${folder} decides who may read it, by default you, the administrators and the system. See it with: icacls "${folder}"`;
}
