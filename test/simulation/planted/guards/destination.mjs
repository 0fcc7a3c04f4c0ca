export const DESTINATION = [
  {
    name: 'early-yes-counts',
    what: 'a “yes” that was typed before the review is shown answers it',
    file: 'src/cli/commands/create/review.ts',
    find: '    fresh: true,\n',
    replace: '',
    test: 'test/cli/program/terminal.test.ts',
    isBuilt: true,
  },
];
