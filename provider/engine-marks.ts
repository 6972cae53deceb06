/** How the engine marks a value among properties, and that the value is a secret. */
export const signatureKey = "4dabf18193072939515e22adb298388d";
export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
