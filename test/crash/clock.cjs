// Loaded before the program: a machine whose clock was set back by CRASH_CLOCK_BACK milliseconds.
const back = Number(process.env.CRASH_CLOCK_BACK);
const { now } = Date;
Date.now = () => now() - back;
