export const SECRETS = [];
