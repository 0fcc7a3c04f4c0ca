export const MACHINE = [];
