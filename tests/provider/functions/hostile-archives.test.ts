import { InvalidDocumentError } from "../../../provider/errors";
import { getInvoiceDetail } from "../../../provider/functions/invoice-detail";
import { archiveOf, good, invoiceId } from "./documents";
import { answering, contents, folders, octets, refusal, zipOf } from "./world";

const names = { json: "INV-1.json", csv: "INV-1.csv" };

/** Offset of a header of the archive: of the n-th local (`PK\x03\x04`) or central (`PK\x01\x02`) one. */
function at(zip: Buffer, signature: "local" | "central", index = 0): number {
  let place = -1;
  for (let n = 0; n <= index; n++) place = zip.indexOf(signature === "local" ? "PK\x03\x04" : "PK\x01\x02", place + 1);
  return place;
}

function changed(zip: Buffer, change: (zip: Buffer) => void): Buffer {
  const copy = Buffer.from(zip);
  change(copy);
  return copy;
}

function renamed(zip: Buffer, from: string, to: string): Buffer {
  expect(to).toHaveLength(from.length);
  return Buffer.from(zip.toString("latin1").replaceAll(from, to), "latin1");
}

const setBit = (zip: Buffer, offset: number, bit: number) => zip.writeUInt16LE(zip.readUInt16LE(offset) | bit, offset);

const hostile: [name: string, bytes: () => Promise<Buffer>, said: RegExp][] = [
  ["nothing", () => Promise.resolve(Buffer.alloc(0)), /not a usable ZIP archive/],
  ["no ZIP", () => Promise.resolve(Buffer.from("Dear customer, no invoice today.")), /not a usable ZIP archive/],
  ["a ZIP cut short", async () => (await archiveOf()).subarray(0, -30), /not a usable ZIP archive/],
  ["bytes after the end", async () => Buffer.concat([await archiveOf(), Buffer.from("more")]), /not a usable ZIP/],
  ["a third entry", () => zipOf({ [names.json]: good.json, [names.csv]: good.csv, "a.txt": "" }), /has 3 entries/],
  ["one entry", () => zipOf({ [names.json]: good.json }), /has 1 entries/],
  ["two JSON files", () => zipOf({ "a.json": good.json, "b.json": good.json }), /does not have one .json and one .csv/],
  ["another kind of file", () => zipOf({ [names.json]: good.json, "a.exe": "MZ" }), /entry "a.exe"/],
  ["a folder", () => zipOf({ "in/a.json": good.json, [names.csv]: good.csv }), /entry "in\/a.json"/],
  ["a hidden file", () => zipOf({ ".a.json": good.json, [names.csv]: good.csv }), /entry ".a.json"/],
  ["a path out of the folder", async () => renamed(await archiveOf(), "INV-1.json", "../x1.json"), /relative path/],
  ["an absolute path", async () => renamed(await archiveOf(), "INV-1.json", "/tmp/.json"), /absolute path/],
  ["a path with a drive", async () => renamed(await archiveOf(), "INV-1.json", "C:\\x1.json"), /not a usable ZIP/],
  ["a name with a line break", async () => renamed(await archiveOf(), "INV-1.json", "I\r\n-1.json"), /not one .json/],
  [
    "a local name that differs",
    async () => changed(await archiveOf(), (zip) => zip.write("../x1.json", at(zip, "local") + 30)),
    /contradicts itself about INV-1.json/,
  ],
  [
    "an encrypted entry",
    async () =>
      changed(await archiveOf(), (zip) => {
        setBit(zip, at(zip, "local") + 6, 1);
        setBit(zip, at(zip, "central") + 8, 1);
      }),
    /INV-1.json in the archive is encrypted/,
  ],
  [
    "an entry encrypted in its local header only",
    async () => changed(await archiveOf(), (zip) => setBit(zip, at(zip, "local") + 6, 1)),
    /is encrypted/,
  ],
  [
    "strong encryption",
    async () => changed(await archiveOf(), (zip) => setBit(zip, at(zip, "central") + 8, 0x40)),
    /strong encryption/,
  ],
  [
    "a wrong checksum",
    async () =>
      changed(await archiveOf(), (zip) => {
        zip.writeUInt32LE(1, at(zip, "local", 1) + 14);
        zip.writeUInt32LE(1, at(zip, "central", 1) + 16);
      }),
    /checksum \(CRC-32\) of INV-1.csv/,
  ],
  [
    "two checksums",
    async () => changed(await archiveOf(), (zip) => zip.writeUInt32LE(1, at(zip, "central") + 16)),
    /contradicts itself/,
  ],
  [
    "a size that is too small",
    async () =>
      changed(await archiveOf(), (zip) => {
        zip.writeUInt32LE(10, at(zip, "local") + 22);
        zip.writeUInt32LE(10, at(zip, "central") + 24);
      }),
    /too many bytes/,
  ],
  [
    "a size that is too large",
    async () =>
      changed(await archiveOf(), (zip) => {
        zip.writeUInt32LE(900_000, at(zip, "local") + 22);
        zip.writeUInt32LE(900_000, at(zip, "central") + 24);
      }),
    /not enough bytes/,
  ],
  [
    "a packed size beyond the file",
    async () =>
      changed(await archiveOf(), (zip) => {
        zip.writeUInt32LE(9_000_000, at(zip, "local") + 18);
        zip.writeUInt32LE(9_000_000, at(zip, "central") + 20);
      }),
    /overflows file bounds/,
  ],
  [
    "another compression method",
    async () =>
      changed(await archiveOf(), (zip) => {
        zip.writeUInt16LE(12, at(zip, "local") + 8);
        zip.writeUInt16LE(12, at(zip, "central") + 10);
      }),
    /unsupported compression method/,
  ],
  [
    "data that is not deflated",
    async () =>
      changed(await archiveOf(), (zip) => zip.fill(0xff, at(zip, "local") + 30 + 10, at(zip, "local") + 30 + 40)),
    /not a usable ZIP/,
  ],
  [
    "a bomb",
    () => zipOf({ [names.json]: Buffer.alloc(20_000_000, " "), [names.csv]: good.csv }),
    /compressed more than 200 to 1/,
  ],
  [
    "a size beyond any invoice",
    async () =>
      changed(await archiveOf(), (zip) => {
        zip.writeUInt32LE(0xfffffffe, at(zip, "local") + 22);
        zip.writeUInt32LE(0xfffffffe, at(zip, "central") + 24);
      }),
    /compressed more than 200 to 1/,
  ],
];

describe.each(["with a path", "without a path"])("the detail of an invoice, %s", (form) => {
  it.each(hostile)("refuses %s, and leaves nothing behind", async (_name, bytes, said) => {
    const { folder, temporary } = folders();
    const { service } = await answering(octets(await bytes()));
    const path = form === "with a path" ? { path: folder } : {};
    const error = await refusal(getInvoiceDetail(service, { invoiceId, ...path }));
    expect(error).toBeInstanceOf(InvalidDocumentError);
    expect(error.message).toMatch(said);
    expect(error.message).toMatch(/^Could not read the detail of invoice inv-1: /);
    expect([contents(folder), contents(temporary)]).toEqual([[], []]);
  });
});

it("an archive whose names are unusual but plain is accepted", async () => {
  const { folder } = folders();
  const zip = await zipOf({ "Rechnung Größe (1).JSON": good.json, "2024-01 & co.csv": good.csv });
  const { service } = await answering(octets(zip));
  await getInvoiceDetail(service, { invoiceId, path: folder });
  expect(contents(folder).sort()).toEqual(["2024-01 & co.csv", "Rechnung Größe (1).JSON"]);
});
