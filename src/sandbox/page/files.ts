import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REINSTALL, StorageError } from '../../errors.ts';
import { packageFolder } from '../../files.ts';
import type { PageFile } from './page.ts';

const FILES = [
  { path: '/', name: 'page.html', type: 'text/html; charset=utf-8' },
  { path: '/page.css', name: 'page.css', type: 'text/css; charset=utf-8' },
  { path: '/page.js', name: 'page.js', type: 'text/javascript; charset=utf-8' },
  { path: '/icon.svg', name: 'icon.svg', type: 'image/svg+xml' },
];

/**
 * Reads the page's files, which the build puts into `dist/page`; once, so that an upgrade cannot disturb a running server.
 * Throws StorageError.
 */
export function pageFiles(): ReadonlyMap<string, PageFile> {
  try {
    return new Map(
      FILES.map(({ path, name, type }) => [
        path,
        { type, text: readFileSync(join(packageFolder(), 'dist', 'page', name), 'utf8') },
      ]),
    );
  } catch {
    throw new StorageError('The program is not complete: files of the page are missing.', REINSTALL);
  }
}
