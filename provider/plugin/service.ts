import { status } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import * as rpc from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { cancellable, systemClock } from "../clock";
import { NotFoundError, SettingsError } from "../errors";
import { unknownValue } from "../resources/check";
import type { Service } from "../service";
import { type Configuration, configurationOf, configurationProblems, serviceFor } from "./configuration";
import { EngineLog } from "./engine-log";
import { Failure, failureOf } from "./failures";
import { pathText, valueAt, withIgnored } from "./property-paths";
import { type Kind, kinds } from "./resources";
import { type Path, unwrap, wrap } from "./wire";

/** What the engine calls, in its messages. It translates; the core decides. */
export class ResellerPlugin {
  readonly #log = new EngineLog();
  readonly #cancelled = new AbortController();
  #configuration: Configuration | undefined;

  constructor(engineAddress?: string) {
    this.#log.connect(engineAddress);
  }

  // --- The plugin ---------------------------------------------------------------------------------------------------

  handshake(request: rpc.ProviderHandshakeRequest): rpc.ProviderHandshakeResponse {
    this.#log.connect(request.getEngineAddress());
    return new rpc.ProviderHandshakeResponse().setAcceptSecrets(true);
  }

  attach(request: PluginAttach): Empty {
    this.#log.connect(request.getAddress());
    return new Empty();
  }

  async getPluginInfo(): Promise<PluginInfo> {
    const { version } = await packageSchema();
    return new PluginInfo().setVersion(version);
  }

  async getSchema(request: rpc.GetSchemaRequest): Promise<rpc.GetSchemaResponse> {
    const asked = request.getVersion();
    if (asked !== 0) throw new Failure(status.INVALID_ARGUMENT, `There is no schema in version ${asked}, only in 0.`);
    return new rpc.GetSchemaResponse().setSchema(JSON.stringify(await packageSchema()));
  }

  getMapping(): rpc.GetMappingResponse {
    return new rpc.GetMappingResponse();
  }

  /** Ends all waiting. What has been sent is finished and answered, so that the engine records it. */
  cancel(): Empty {
    this.#cancelled.abort();
    return new Empty();
  }

  // --- Configuration ------------------------------------------------------------------------------------------------

  async checkConfig(request: rpc.CheckRequest): Promise<rpc.CheckResponse> {
    const { fields } = unwrap(request.getNews());
    return checked(await configurationProblems(fields)).setInputs(request.getNews());
  }

  /** Nothing replaces a provider: that would replace all its resources, and buy each again. */
  diffConfig(request: rpc.DiffRequest): rpc.DiffResponse {
    const [olds, news] = [unwrap(request.getOldInputs() ?? request.getOlds()).fields, unwrap(request.getNews()).fields];
    const changed = Object.keys({ ...olds, ...news }).filter((name) => olds[name] !== news[name]);
    return difference(olds, news, {
      changes: changed.length > 0,
      replaces: [],
      properties: changed.map((name) => [name]),
    });
  }

  configure(request: rpc.ConfigureRequest): rpc.ConfigureResponse {
    this.#configuration = configurationOf(unwrap(request.getArgs()).fields, request.getName() ?? "default");
    return new rpc.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
  }

  // --- Resources ----------------------------------------------------------------------------------------------------

  async check(request: rpc.CheckRequest): Promise<rpc.CheckResponse> {
    const kind = await kindOf(request.getUrn());
    const news = unwrap(request.getNews());
    const olds = unwrap(request.getOlds()).fields;
    const { inputs, failures } = kind.check(olds, news.fields, request.getUrn());
    if (failures.length === 0) {
      failures.push(...(await kind.consider(() => this.#connectedIfSet(), olds, inputs, false)).failures);
    }
    return checked(failures).setInputs(wrap(inputs, [...news.secrets, ...kind.secrets]));
  }

  async diff(request: rpc.DiffRequest): Promise<rpc.DiffResponse> {
    const kind = await kindOf(request.getUrn());
    const [olds, news] = compared(request);
    // Comparing is where state is seen: what is created later in the run has to go to the same enterprise.
    (await this.#connectedIfSet())?.directory.noteOwner(kind.owner(olds));
    return difference(olds, news, kind.diff(request.getId(), olds, news));
  }

  create(request: rpc.CreateRequest): Promise<rpc.CreateResponse> {
    const { fields, secrets } = unwrap(request.getProperties());
    return this.#during(request.getUrn(), secrets, async (kind, marked) => {
      if (request.getPreview()) {
        await this.#foresee(kind, fields, request.getUrn());
        const later = Object.fromEntries(kind.outputs.map((name) => [name, unknownValue]));
        return new rpc.CreateResponse().setProperties(wrap({ ...fields, ...later }, marked));
      }
      const { id, outs } = await kind.create(await this.#connected(), fields);
      return new rpc.CreateResponse().setId(id).setProperties(wrap(outs, marked));
    });
  }

  read(request: rpc.ReadRequest): Promise<rpc.ReadResponse> {
    const { fields, secrets } = unwrap(request.getProperties());
    const both = [...secrets, ...unwrap(request.getInputs()).secrets];
    return this.#during(request.getUrn(), both, async (kind, marked) => {
      const service = await this.#connected();
      const { id, props, inputs } = await kind.read(service, request.getId(), fields).catch(goneWhenMissing);
      const response = new rpc.ReadResponse().setId(id);
      if (props) response.setProperties(wrap(props, marked));
      if (inputs) response.setInputs(wrap(inputs, marked));
      return response;
    });
  }

  update(request: rpc.UpdateRequest): Promise<rpc.UpdateResponse> {
    const [olds, news] = compared(request);
    return this.#during(request.getUrn(), unwrap(request.getNews()).secrets, async (kind, marked) => {
      if (request.getPreview()) {
        for (const line of kind.diff(request.getId(), olds, news).notices) this.#log.warning(line);
        const kept = Object.fromEntries(kind.outputs.map((name) => [name, olds[name]]));
        return new rpc.UpdateResponse().setProperties(wrap({ ...news, ...kept }, marked));
      }
      const { outs } = await kind.update(await this.#connected(), request.getId(), olds, news);
      return new rpc.UpdateResponse().setProperties(wrap(outs, marked));
    });
  }

  delete(request: rpc.DeleteRequest): Promise<Empty> {
    const { fields, secrets } = unwrap(request.getProperties());
    return this.#during(request.getUrn(), secrets, async (kind) => {
      await kind.remove(await this.#connected(), request.getId(), fields);
      return new Empty();
    });
  }

  // --- What they share ----------------------------------------------------------------------------------------------

  async #during<T>(
    urn: string,
    secrets: readonly Path[],
    operation: (kind: Kind, secrets: readonly Path[]) => Promise<T>,
  ): Promise<T> {
    const kind = await kindOf(urn);
    const marked = [...secrets, ...kind.secrets];
    try {
      return await this.#log.during(urn, () => operation(kind, marked));
    } catch (error) {
      throw failureOf(error, marked);
    }
  }

  /** What a preview tells of a creation, or of taking over what exists. */
  async #foresee(kind: Kind, inputs: Fields, urn: string): Promise<void> {
    for (const line of kind.check({}, inputs, urn).notices) this.#log.warning(line);
    const { failures, notices } = await kind.consider(() => this.#connectedIfSet(), {}, inputs, true);
    for (const line of notices) this.#log.info(line);
    const [failure] = failures;
    if (failure) throw new Failure(status.FAILED_PRECONDITION, failure.reason);
  }

  /** For checking and previews, which work without settings. */
  async #connectedIfSet(): Promise<Service | undefined> {
    try {
      return await this.#connected();
    } catch (error) {
      if (error instanceof SettingsError) return undefined;
      throw error;
    }
  }

  /** At first need only: checking, comparing and previews work without settings. */
  async #connected(): Promise<Service> {
    return serviceFor(this.#configuration ?? configurationOf({}, "default"), {
      clock: cancellable(systemClock, this.#cancelled.signal),
      notice: (line) => {
        this.#log.info(line);
      },
    });
  }
}

async function packageSchema(): Promise<{ version: string }> {
  const { default: schema } = await import("../../schema.json", { with: { type: "json" } });
  return schema;
}

async function kindOf(urn: string): Promise<Kind> {
  // The last of the types in a URN is the resource's own; those before it are its parents'.
  const token = urn.split("::")[2]?.split("$").at(-1) ?? "";
  const load = Object.hasOwn(kinds, token) ? kinds[token] : undefined;
  if (!load) throw new Failure(status.UNIMPLEMENTED, `The reseller provider has no resource ${token}.`);
  return load();
}

function checked(failures: { property: string; reason: string }[]): rpc.CheckResponse {
  return new rpc.CheckResponse().setFailuresList(
    failures.map(({ property, reason }) => new rpc.CheckFailure().setProperty(property).setReason(reason)),
  );
}

type Fields = Record<string, unknown>;

/** What is in state and what is wanted instead. The engine applies ignoreChanges to inputs, but not to drift. */
function compared(request: rpc.DiffRequest | rpc.UpdateRequest): [Fields, Fields] {
  const olds = unwrap(request.getOlds()).fields;
  return [olds, withIgnored(unwrap(request.getNews()).fields, olds, request.getIgnorechangesList())];
}

function difference(
  olds: Fields,
  news: Fields,
  { changes, replaces, properties }: { changes: boolean; replaces: string[]; properties: string[][] },
): rpc.DiffResponse {
  const { DIFF_NONE, DIFF_SOME } = rpc.DiffResponse.DiffChanges;
  const response = new rpc.DiffResponse().setChanges(changes ? DIFF_SOME : DIFF_NONE).setReplacesList(replaces);
  response.setDiffsList([...new Set(properties.map(([name = ""]) => name))]);
  response.setHasdetaileddiff(properties.length > 0);
  for (const path of properties) {
    const replacing = replaces.includes(path[0] ?? "");
    const kind = kindOfChange(valueAt(olds, path) !== undefined, valueAt(news, path) !== undefined, replacing);
    response.getDetaileddiffMap().set(pathText(path), new rpc.PropertyDiff().setKind(kind));
  }
  return response;
}

function kindOfChange(before: boolean, after: boolean, replacing: boolean): rpc.PropertyDiff.Kind {
  const kinds = rpc.PropertyDiff.Kind;
  if (!before) return replacing ? kinds.ADD_REPLACE : kinds.ADD;
  if (!after) return replacing ? kinds.DELETE_REPLACE : kinds.DELETE;
  return replacing ? kinds.UPDATE_REPLACE : kinds.UPDATE;
}

/** Import and `get` ask for what may not exist; the engine says so itself when nothing comes back. */
function goneWhenMissing(error: unknown): { id: string; props?: object; inputs?: object } {
  if (error instanceof NotFoundError) return { id: "" };
  throw error;
}
