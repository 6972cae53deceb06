import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { InvalidDocumentError } from "../errors";
import { onDisk } from "../files";

/** A document that is whole on disk. */
export interface Saved {
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

interface Download {
  doing: string;
  body: AsyncIterable<Buffer>;
  /** What the Content-Length header says, if there is one. */
  declaredBytes: number | undefined;
  /** Overwritten when it exists. */
  file: string;
  mostBytes: number;
}

/** Writes a body to a file as it arrives, in constant memory. */
export async function saveBody({ doing, body, declaredBytes, file, mostBytes }: Download): Promise<Saved> {
  const hash = createHash("sha256");
  let bytes = 0;
  const handle = await onDisk(doing, file, () => open(file, "w"));
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      // Leaving the loop by throwing destroys the stream and its connection.
      if (bytes > mostBytes || (declaredBytes ?? 0) > mostBytes) throw tooLarge(doing, mostBytes);
      hash.update(chunk);
      await onDisk(doing, file, () => handle.writeFile(chunk));
    }
  } finally {
    await handle.close();
  }
  return { bytes, sha256: hash.digest("hex") };
}

function tooLarge(doing: string, mostBytes: number): InvalidDocumentError {
  return new InvalidDocumentError({
    doing,
    said: `the service sent more than the ${mostBytes} bytes that are accepted.`,
    next: "Nothing was kept. Download it from the portal, and check that reseller:baseUrl is the API host.",
  });
}
