export const UNATTENDED = [];
