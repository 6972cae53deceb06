import { CancelledError } from "./errors";

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

/** A clock on which all waiting ends with a CancelledError once `signal` says so. */
export function cancellable(clock: Clock, signal: AbortSignal): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    random: () => clock.random(),
    sleep: (ms) =>
      new Promise((resolve, reject) => {
        const cancel = (): void => {
          reject(new CancelledError());
        };
        if (signal.aborted) cancel();
        signal.addEventListener("abort", cancel, { once: true });
        void clock.sleep(ms).then(() => {
          signal.removeEventListener("abort", cancel);
          resolve();
        });
      }),
  };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: () => Math.random(),
};
