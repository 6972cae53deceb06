import { open } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { onDisk } from "../../files";
import { asBroken, broken } from "./broken";

/** The archive of an invoice comes from the network: nothing it says of itself is believed, nothing it names is obeyed. */

/** One file of the archive, unpacked. */
export interface Unpacked {
  /** As the archive names it: a plain file name. */
  name: string;
  /** Where it is on disk. */
  file: string;
}

export interface ArchiveLimits {
  /** For each file, unpacked. */
  fileBytes: number;
  /** Unpacked to packed. Honest invoices reach about 30. */
  ratio: number;
}

const defaultLimits: ArchiveLimits = { fileBytes: 4 * 1024 ** 3, ratio: 200 };
// Below this much, no ratio does harm.
const harmlessBytes = 1024 ** 2;
// An allow-list: no separator, drive, leading dot or control character, so that a name cannot leave its folder.
const plainName = /^[\p{L}\p{N}][\p{L}\p{N} ._()+#&-]{0,199}\.(json|csv)$/iu;

/** Unpacks the one JSON and the one CSV file into `folder`, under names of ours, each only when every check holds. */
export async function unpack(
  doing: string,
  archive: string,
  folder: string,
  limits: Partial<ArchiveLimits> = {},
): Promise<{ json: Unpacked; csv: Unpacked }> {
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(archive, { strictFileNames: true, validateEntrySizes: true, autoClose: false });
    const { json, csv } = await listEntries(doing, zip);
    const unpackTo = (entry: Entry, file: string) =>
      unpackEntry(doing, zip as ZipFile, entry, join(folder, file), { ...defaultLimits, ...limits });
    return { json: await unpackTo(json, "detail.json"), csv: await unpackTo(csv, "detail.csv") };
  } catch (cause) {
    throw asBroken(doing, "what the service sent is not a usable ZIP archive", cause);
  } finally {
    zip?.close();
  }
}

async function listEntries(doing: string, zip: ZipFile): Promise<{ json: Entry; csv: Entry }> {
  const wanted = "one .json and one .csv file";
  if (zip.entryCount !== 2) {
    throw broken(doing, `the archive has ${zip.entryCount} entries where ${wanted} are expected`);
  }
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    if (!plainName.test(entry.fileName)) {
      throw broken(doing, `the archive has an entry ${JSON.stringify(entry.fileName)}, which is not ${wanted}`);
    }
    entries.push(entry);
  }
  const [json, csv] = ["json", "csv"].map((kind) => entries.find((entry) => kindOf(entry) === kind));
  if (!json || !csv) throw broken(doing, `the archive does not have ${wanted}`);
  return { json, csv };
}

function kindOf({ fileName }: Entry): string | undefined {
  return fileName.split(".").pop()?.toLowerCase();
}

async function unpackEntry(
  doing: string,
  zip: ZipFile,
  entry: Entry,
  file: string,
  limits: ArchiveLimits,
): Promise<Unpacked> {
  const name = entry.fileName;
  await checkHeaders(doing, zip, entry, limits);
  const handle = await onDisk(doing, file, () => open(file, "wx"));
  let checksum = 0;
  try {
    // Its length is held against the declared one as it is read, so the checks above count for the data too.
    // Read at once: a failure before anyone listens would end the process.
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      checksum = crc32(chunk, checksum);
      await onDisk(doing, file, () => handle.writeFile(chunk));
    }
  } finally {
    await handle.close();
  }
  if (checksum !== entry.crc32) throw broken(doing, `the checksum (CRC-32) of ${name} in the archive is wrong`);
  return { name, file };
}

async function checkHeaders(doing: string, zip: ZipFile, entry: Entry, limits: ArchiveLimits): Promise<void> {
  const { fileName: name, compressedSize, uncompressedSize } = entry;
  const local = await zip.readLocalFileHeaderPromise(entry);
  if (entry.isEncrypted() || (local.generalPurposeBitFlag & 1) !== 0) {
    throw broken(doing, `${name} in the archive is encrypted`);
  }
  if (uncompressedSize > limits.fileBytes) {
    throw broken(doing, `${name} in the archive has more than the ${limits.fileBytes} bytes that are accepted`);
  }
  if (uncompressedSize > Math.max(harmlessBytes, compressedSize * limits.ratio)) {
    throw broken(doing, `${name} in the archive is compressed more than ${limits.ratio} to 1, as no invoice is`);
  }
  // With bit 3 the sizes follow the data; with all bits set they are in an extra field.
  const told = (local.generalPurposeBitFlag & 8) === 0;
  const agrees = (said: number, listed: number) => !told || said === listed || said === 0xffffffff;
  const consistent =
    local.compressionMethod === entry.compressionMethod &&
    local.fileName.equals(entry.fileNameRaw) &&
    agrees(local.crc32, entry.crc32) &&
    agrees(local.compressedSize, compressedSize) &&
    agrees(local.uncompressedSize, uncompressedSize);
  if (!consistent) throw broken(doing, `the archive contradicts itself about ${name}`);
}
