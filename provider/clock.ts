/** Time and chance, handed in so that tests decide them. */
export interface Clock {
  /** Wall clock, milliseconds since 1970: only for dates the service names. */
  now(): number;
  /** Milliseconds that never jump: for ages and budgets. */
  monotonic(): number;
  sleep(ms: number): Promise<void>;
  /** From 0 up to, but not including, 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: () => Math.random(),
};
