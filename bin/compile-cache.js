'use strict';

const { lstatSync, mkdirSync, statSync } = require('node:fs');
const { isAbsolute, join } = require('node:path');

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/**
 * A folder for the program's compiled code that nobody but its user can put anything into, or undefined where there is
 * none: what lies in it is run, with every secret in reach. Node's own choice is a name in the system's temporary folder
 * that anybody can guess and fill first.
 */
exports.privateFolder = function privateFolder(env, platform, user) {
  if (platform === 'win32' || user === undefined) return undefined;
  const { XDG_CACHE_HOME: named, HOME: home } = env;
  if (named && isAbsolute(named)) return within(named, user);
  return home && isAbsolute(home) ? within(join(home, '.cache'), user) : undefined;
};

function within(base, user) {
  try {
    if (statSync(base, { throwIfNoEntry: false }) === undefined) mkdirSync(base, { mode: 0o700 });
    if (!cannotBeSwapped(statSync(base), user)) return undefined;
    const own = join(base, 'swapctl');
    const folder = join(own, 'compile-cache');
    return isPrivate(own, user) && isPrivate(folder, user) ? folder : undefined;
  } catch {
    // A home that cannot be written to, for instance; the program runs without.
    return undefined;
  }
}

/** Whether nobody else can put something else in the place of what lies in a folder. */
function cannotBeSwapped({ uid, mode }, user) {
  return (uid === user || uid === 0) && ((mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0);
}

/** Makes a folder where there is nothing, and tells whether it is a folder, no link, and its user's alone. */
function isPrivate(folder, user) {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder, { mode: 0o700 });
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === user && (found.mode & OTHERS) === 0;
}
