import { z } from "zod";

/** Which sign-in: a person may have several, for several environments. */
export interface EntryKey {
  /** Name the person chose; `default` when none was. */
  profile: string;
  baseUrl: string;
  clientId: string;
}

/** Which sign-ins are meant: what is not said may be anything. */
export type Wanted = { [Name in keyof EntryKey]?: string | undefined };

/** What a sign-in keeps, all of it secret or useless without what is. Times are milliseconds since 1970. */
export const signInSchema = z.object({
  authUrl: z.string(),
  clientSecret: z.string(),
  /** Where the login had the browser sent back to, for the next one. */
  redirectUri: z.string().optional(),
  /** Absent once the authorization server has said that it is no longer good. */
  refreshToken: z.string().optional(),
  /** When the refresh token was last used: it ends after 90 days without (service document: Limits). */
  usedAt: z.number(),
  /** Whether the server gives a new refresh token at each use; absent before the first use. */
  rotates: z.boolean().optional(),
  access: z.object({ token: z.string(), obtainedAt: z.number(), expiresAt: z.number() }).optional(),
});
export type SignIn = z.output<typeof signInSchema>;

export interface Entry {
  key: EntryKey;
  /** Whether the sign-in is encrypted with a key from the keychain of the operating system. */
  keychain: boolean;
  signIn: SignIn;
}

const idleMs = 90 * 24 * 60 * 60 * 1000;
const warnMs = 14 * 24 * 60 * 60 * 1000;

/** When the refresh token ends if it is not used again (service document: Limits). */
export function idleEnd(usedAt: number): Date {
  return new Date(usedAt + idleMs);
}

/** Whether fewer than 14 of the 90 idle days are left. */
export function runsLow(usedAt: number, now: number): boolean {
  return idleEnd(usedAt).getTime() - now < warnMs;
}

export function entryKey({ profile, baseUrl, clientId }: EntryKey): EntryKey {
  return { profile, baseUrl: oneAddress(baseUrl), clientId };
}

/** One address for one service, however it was typed. */
export function oneAddress(baseUrl: string): string {
  return new URL(baseUrl).href.replace(/\/+$/, "");
}
