/** The simulator's time: real time plus what it was advanced by. Tokens, dates and list delays all follow it. */
export class Clock {
  private offsetMs = 0;

  /** Milliseconds since the epoch. */
  now(): number {
    return Date.now() + this.offsetMs;
  }

  /** ISO 8601 UTC date-time with Z. */
  iso(): string {
    return new Date(this.now()).toISOString();
  }

  /** Moves time by a number of seconds; a negative number moves it back. */
  advance(seconds: number): void {
    if (!Number.isFinite(seconds)) throw new TypeError("The clock moves by a finite number of seconds.");
    this.offsetMs += seconds * 1000;
  }
}
