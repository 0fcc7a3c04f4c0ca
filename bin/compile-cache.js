'use strict';

const { lstatSync, mkdirSync, statSync } = require('node:fs');
const { isAbsolute, join } = require('node:path');

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/**
 * A folder for the program's compiled code that only its user can write to, or undefined where there is none: code in it
 * is run with every secret in reach. Node's own default is a folder in the system's temporary folder with a name that
 * anybody can guess and create first.
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

/** Whether nobody else can replace the content of a folder. */
function cannotBeSwapped({ uid, mode }, user) {
  return (uid === user || uid === 0) && ((mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0);
}

/** Whether a folder is not a link and is its user's alone; makes it where there is nothing. */
function isPrivate(folder, user) {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder, { mode: 0o700 });
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === user && (found.mode & OTHERS) === 0;
}
