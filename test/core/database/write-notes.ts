import { openDatabase } from '../../../src/core/database/open.ts';
import { NOTES, type NotesSchema } from './notes.ts';

const [location = '', prefix = '', count = '20'] = process.argv.slice(2);
const database = await openDatabase<NotesSchema>(location, NOTES);
for (let index = 0; index < Number(count); index += 1) {
  await database.kysely
    .insertInto('notes')
    .values({ id: `${prefix}-${index}`, body: '', seen_at: index })
    .execute();
}
await database.close();
