import { status } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import * as rpc from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { cancellable, systemClock } from "../clock";
import { InvalidArgumentError, NotFoundError, SettingsError } from "../errors";
import { unknownValue } from "../resources/check";
import type { Difference } from "../resources/patch";
import type { Service } from "../service";
import { type Configuration, configurationOf, configurationProblems, serviceFor } from "./configuration";
import { EngineLog } from "./engine-log";
import { Failure, failureOf } from "./failures";
import { pathText, valueAt, withIgnored } from "./property-paths";
import { dataSources } from "./functions";
import { type Kind, kinds } from "./resources";
import { type Names, unwrap, wrap } from "./wire";

/** What the engine calls, in its messages. It translates; the core decides. */
export class ResellerPlugin {
  readonly #log = new EngineLog();
  readonly #cancelled = new AbortController();
  #configuration: Configuration | undefined;
  #service: Service | undefined;

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
    this.#service = undefined;
    return new rpc.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
  }

  // --- Resources ----------------------------------------------------------------------------------------------------

  async check(request: rpc.CheckRequest): Promise<rpc.CheckResponse> {
    const kind = await kindOf(request.getUrn());
    const news = unwrap(request.getNews(), kind.names);
    const olds = unwrap(request.getOlds(), kind.names).fields;
    const { inputs, failures } = kind.check(olds, news.fields, request.getUrn());
    if (failures.length === 0) {
      failures.push(...(await kind.consider(() => this.#connectedIfSet(), olds, inputs, false)).failures);
    }
    return checked(failures, kind.names).setInputs(wrap(inputs, [...news.secrets, ...kind.secrets], kind.names));
  }

  async diff(request: rpc.DiffRequest): Promise<rpc.DiffResponse> {
    const kind = await kindOf(request.getUrn());
    const { olds, news } = compared(request, kind.names);
    // Comparing is where state is seen: what is created later in the run has to go to the same enterprise.
    (await this.#connectedIfSet())?.directory.noteOwner(kind.owner(olds));
    return difference(olds, news, kind.diff(request.getId(), olds, news), kind.names);
  }

  create(request: rpc.CreateRequest): Promise<rpc.CreateResponse> {
    return this.#during(request.getUrn(), [request.getProperties()], async ({ kind, fields, wrapped }) => {
      if (request.getPreview()) {
        await this.#foresee(kind, fields, request.getUrn());
        const later = Object.fromEntries(kind.outputs.map((name) => [name, unknownValue]));
        return new rpc.CreateResponse().setProperties(wrapped({ ...fields, ...later }));
      }
      const { id, outs } = await kind.create(await this.#connected(), fields);
      return new rpc.CreateResponse().setId(id).setProperties(wrapped(outs));
    });
  }

  read(request: rpc.ReadRequest): Promise<rpc.ReadResponse> {
    const messages = [request.getProperties(), request.getInputs()];
    return this.#during(request.getUrn(), messages, async ({ kind, fields, wrapped }) => {
      const service = await this.#connected();
      const { id, props, inputs } = await kind.read(service, request.getId(), fields).catch(goneWhenMissing);
      const response = new rpc.ReadResponse().setId(id);
      if (props) response.setProperties(wrapped(props));
      if (inputs) response.setInputs(wrapped(inputs));
      return response;
    });
  }

  update(request: rpc.UpdateRequest): Promise<rpc.UpdateResponse> {
    return this.#during(request.getUrn(), [request.getNews()], async ({ kind, wrapped }) => {
      const { olds, news } = compared(request, kind.names);
      if (request.getPreview()) {
        for (const line of kind.diff(request.getId(), olds, news).notices) this.#log.warning(line);
        const kept = Object.fromEntries(kind.outputs.map((name) => [name, olds[name]]));
        return new rpc.UpdateResponse().setProperties(wrapped({ ...news, ...kept }));
      }
      const { outs } = await kind.update(await this.#connected(), request.getId(), olds, news);
      return new rpc.UpdateResponse().setProperties(wrapped(outs));
    });
  }

  delete(request: rpc.DeleteRequest): Promise<Empty> {
    return this.#during(request.getUrn(), [request.getProperties()], async ({ kind, fields }) => {
      await kind.remove(await this.#connected(), request.getId(), fields);
      return new Empty();
    });
  }

  /** Ids with names, one message each, then where the next page begins. */
  async *list(request: rpc.ListRequest): AsyncGenerator<rpc.ListResponse> {
    const token = request.getToken();
    const { list } = await kindFor(token);
    if (!list) throw new Failure(status.UNIMPLEMENTED, `The service does not list what is a ${token}.`);
    const query = unwrap(request.getQuery()).fields;
    if (Object.values(query).includes(unknownValue)) {
      yield new rpc.ListResponse().setComputed(new rpc.ListResponse.Computed());
      return;
    }
    const asked = {
      query,
      limit: request.getLimit(),
      pageSize: request.getPageSize(),
      continuation: request.getContinuationToken(),
    };
    for await (const listed of list(await this.#connected(), asked)) {
      const { Continuation, Result } = rpc.ListResponse;
      const response = new rpc.ListResponse();
      if ("next" in listed) yield response.setContinuation(new Continuation().setContinuationToken(listed.next));
      else yield response.setResult(new Result().setId(listed.id).setName(listed.name));
    }
  }

  // --- Functions ----------------------------------------------------------------------------------------------------

  async invoke(request: rpc.InvokeRequest): Promise<rpc.InvokeResponse> {
    const [, , name = ""] = request.getTok().split(":");
    const functions = await dataSources();
    const call = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (!call) throw new Failure(status.UNIMPLEMENTED, `The reseller provider has no function ${request.getTok()}.`);
    const { fields, secrets } = unwrap(request.getArgs());
    try {
      const result = await this.#log.during("", async () => call(await this.#connected(), fields));
      // What is found by a secret may tell it.
      const marked = secrets.length > 0 ? Object.keys(result).map((key) => [key]) : [];
      return new rpc.InvokeResponse().setReturn(wrap(result, marked));
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      const failure = new rpc.CheckFailure().setProperty(error.property).setReason(error.message);
      return new rpc.InvokeResponse().setFailuresList([failure]);
    }
  }

  // --- What they share ----------------------------------------------------------------------------------------------

  /** Runs an operation on a resource. `messages`: its properties first; what is secret in any of them stays so. */
  async #during<T>(
    urn: string,
    messages: (Struct | undefined)[],
    operation: (call: { kind: Kind; fields: Fields; wrapped: (fields: object) => Struct }) => Promise<T>,
  ): Promise<T> {
    const kind = await kindOf(urn);
    const unwrapped = messages.map((message) => unwrap(message, kind.names));
    const secrets = [...unwrapped.flatMap((each) => each.secrets), ...kind.secrets];
    const wrapped = (fields: object): Struct => wrap(fields, secrets, kind.names);
    try {
      return await this.#log.during(urn, () => operation({ kind, fields: unwrapped[0]?.fields ?? {}, wrapped }));
    } catch (error) {
      throw failureOf(error, wrapped);
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
    // Once: looking for a sign-in reads the disk.
    this.#service ??= await serviceFor(this.#configuration ?? configurationOf({}, "default"), {
      clock: cancellable(systemClock, this.#cancelled.signal),
      notice: (line) => {
        this.#log.info(line);
      },
    });
    return this.#service;
  }
}

async function packageSchema(): Promise<{ version: string }> {
  const { default: schema } = await import("../../schema.json", { with: { type: "json" } });
  return schema;
}

function kindOf(urn: string): Promise<Kind> {
  // The last of the types in a URN is the resource's own; those before it are its parents'.
  return kindFor(urn.split("::")[2]?.split("$").at(-1) ?? "");
}

async function kindFor(token: string): Promise<Kind> {
  const load = Object.hasOwn(kinds, token) ? kinds[token] : undefined;
  if (!load) throw new Failure(status.UNIMPLEMENTED, `The reseller provider has no resource ${token}.`);
  return load();
}

type Fields = Record<string, unknown>;

function checked(failures: { property: string; reason: string }[], names: Names = new Map()): rpc.CheckResponse {
  return new rpc.CheckResponse().setFailuresList(
    failures.map(({ property, reason }) => {
      const path = pathText(property.split("."), names);
      return new rpc.CheckFailure().setProperty(path).setReason(reason.replaceAll(property, path));
    }),
  );
}

/** What is in state and what is wanted instead. The engine applies ignoreChanges to inputs, but not to drift. */
function compared(request: rpc.DiffRequest | rpc.UpdateRequest, names: Names): { olds: Fields; news: Fields } {
  const olds = unwrap(request.getOlds(), names).fields;
  const news = unwrap(request.getNews(), names).fields;
  return { olds, news: withIgnored(news, olds, request.getIgnorechangesList(), names) };
}

function difference(
  olds: Fields,
  news: Fields,
  { changes, replaces, properties }: Omit<Difference, "notices">,
  names: Names = new Map(),
): rpc.DiffResponse {
  const { DIFF_NONE, DIFF_SOME } = rpc.DiffResponse.DiffChanges;
  const response = new rpc.DiffResponse().setChanges(changes ? DIFF_SOME : DIFF_NONE).setReplacesList(replaces);
  response.setDiffsList([...new Set(properties.map(([name = ""]) => name))]);
  response.setHasdetaileddiff(properties.length > 0);
  for (const path of properties) {
    const replacing = replaces.includes(path[0] ?? "");
    const kind = kindOfChange(valueAt(olds, path) !== undefined, valueAt(news, path) !== undefined, replacing);
    response.getDetaileddiffMap().set(pathText(path, names), new rpc.PropertyDiff().setKind(kind));
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
