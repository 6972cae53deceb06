import { Server, ServerCredentials, type ServiceError, credentials, status } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as rpc from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { serve } from "../../../provider/plugin/server";
import { closeAfterwards } from "../support";

/** What stands for the engine: it calls the plugin as the engine does, and notes what the plugin logs. */

export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const secretKey = "4dabf18193072939515e22adb298388d";
const secretMark = "1b47061264138c4ac30d75fd1eb44270";

export function secret(value: unknown): object {
  return { [secretKey]: secretMark, value };
}

export function struct(fields: object): Struct {
  // As JSON, what is undefined is left out.
  return Struct.fromJavaScript(JSON.parse(JSON.stringify(fields)) as Parameters<typeof Struct.fromJavaScript>[0]);
}

export function urnOf(kind: "Account" | "Customer", name = "acme"): string {
  return `urn:pulumi:dev::demo::reseller:index:${kind}::${name}`;
}

interface Logged {
  severity: number;
  message: string;
  urn: string;
}

type Answer<T> = (error: ServiceError | null, response: T) => void;

export class Engine {
  private constructor(
    readonly client: ResourceProviderClient,
    readonly logged: readonly Logged[],
  ) {}

  /** A plugin served in this process, and the engine that has started it. */
  static async start(settings: Record<string, unknown> = {}, providerName = "default"): Promise<Engine> {
    const server = new Server();
    const logged: Logged[] = [];
    server.addService(EngineService, {
      log: ({ request }: { request: LogRequest }, callback: Answer<Empty>) => {
        logged.push({ severity: request.getSeverity(), message: request.getMessage(), urn: request.getUrn() });
        callback(null, new Empty());
      },
    });
    const address = await new Promise<string>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
        if (error) reject(error);
        else resolve(`127.0.0.1:${port}`);
      });
    });
    const { port, close } = await serve(address);
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    closeAfterwards(() => {
      client.close();
      close();
      server.forceShutdown();
      return Promise.resolve();
    });
    const engine = new Engine(client, logged);
    const configuration = new rpc.ConfigureRequest().setArgs(struct(settings)).setName(providerName);
    await engine.call((answer) => client.configure(configuration, answer));
    return engine;
  }

  /** One call, which has to be answered well. @throws ServiceError */
  call<T>(start: (answer: Answer<T>) => unknown): Promise<T> {
    return new Promise((resolve, reject) => {
      start((error, response) => {
        if (error) reject(error);
        else resolve(response);
      });
    });
  }

  async check(urn: string, news: object, olds: object = {}) {
    const request = new rpc.CheckRequest().setUrn(urn).setOlds(struct(olds)).setNews(struct(news));
    const response = await this.call<rpc.CheckResponse>((answer) => this.client.check(request, answer));
    return {
      inputs: response.getInputs()?.toJavaScript() ?? {},
      failures: response.getFailuresList().map((failure) => failure.toObject()),
    };
  }

  async diff(urn: string, id: string, olds: object, news: object, ignoreChanges: string[] = []) {
    const request = new rpc.DiffRequest().setUrn(urn).setId(id).setOlds(struct(olds)).setNews(struct(news));
    request.setIgnorechangesList(ignoreChanges);
    const response = await this.call<rpc.DiffResponse>((answer) => this.client.diff(request, answer));
    const detail = response
      .getDetaileddiffMap()
      .getEntryList()
      .map(([path]) => [path, kindName(response.getDetaileddiffMap().get(path))]);
    return {
      changes: response.getChanges() === rpc.DiffResponse.DiffChanges.DIFF_SOME,
      replaces: response.getReplacesList(),
      detail: Object.fromEntries(detail) as Record<string, string>,
    };
  }

  async create(urn: string, properties: object, { preview = false } = {}) {
    const request = new rpc.CreateRequest().setUrn(urn).setProperties(struct(properties)).setPreview(preview);
    const response = await this.call<rpc.CreateResponse>((answer) => this.client.create(request, answer));
    return { id: response.getId(), properties: response.getProperties()?.toJavaScript() };
  }

  async read(urn: string, id: string, properties?: object, inputs?: object) {
    const request = new rpc.ReadRequest().setUrn(urn).setId(id);
    if (properties) request.setProperties(struct(properties));
    if (inputs) request.setInputs(struct(inputs));
    const response = await this.call<rpc.ReadResponse>((answer) => this.client.read(request, answer));
    return {
      id: response.getId(),
      properties: response.getProperties()?.toJavaScript(),
      inputs: response.getInputs()?.toJavaScript(),
    };
  }

  async update(
    urn: string,
    id: string,
    olds: object,
    news: object,
    options: { preview?: boolean; ignore?: string[] } = {},
  ) {
    const request = new rpc.UpdateRequest().setUrn(urn).setId(id).setOlds(struct(olds)).setNews(struct(news));
    request.setPreview(options.preview ?? false).setIgnorechangesList(options.ignore ?? []);
    const response = await this.call<rpc.UpdateResponse>((answer) => this.client.update(request, answer));
    return response.getProperties()?.toJavaScript();
  }

  async delete(urn: string, id: string, properties: object): Promise<void> {
    const request = new rpc.DeleteRequest().setUrn(urn).setId(id).setProperties(struct(properties));
    await this.call<Empty>((answer) => this.client.delete(request, answer));
  }

  /** Names and tokens to go on, in the order of their arrival. */
  async list(
    asked: { query?: object; limit?: number; pageSize?: number; continuation?: string; token?: string } = {},
  ): Promise<{ names: string[]; ids: string[]; next: string; computed: boolean }> {
    const request = new rpc.ListRequest().setToken(asked.token ?? "reseller:index:Account");
    request.setQuery(struct(asked.query ?? {})).setContinuationToken(asked.continuation ?? "");
    request.setLimit(asked.limit ?? 0).setPageSize(asked.pageSize ?? 0);
    const answer = { names: [] as string[], ids: [] as string[], next: "", computed: false };
    for await (const response of this.client.list(request) as AsyncIterable<rpc.ListResponse>) {
      if (response.hasComputed()) answer.computed = true;
      if (response.hasContinuation()) answer.next = response.getContinuation()?.getContinuationToken() ?? "";
      const result = response.getResult();
      if (result) answer.names.push(result.getName());
      if (result) answer.ids.push(result.getId());
    }
    return answer;
  }

  async cancel(): Promise<void> {
    await this.call<Empty>((answer) => this.client.cancel(new Empty(), answer));
  }
}

/** What a failed call said, and what it wants kept in state. */
export function failureIn(error: unknown) {
  const { code, details, metadata } = error as ServiceError;
  const [packed] = metadata.get("grpc-status-details-bin");
  const detail = packed === undefined ? undefined : Status.deserializeBinary(packed as Buffer).getDetailsList()[0];
  const kept = detail && rpc.ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
  return {
    code: status[code],
    details,
    kept: kept && {
      id: kept.getId(),
      properties: kept.getProperties()?.toJavaScript(),
      reasons: kept.getReasonsList(),
    },
  };
}

function kindName(property: rpc.PropertyDiff | undefined): string | undefined {
  return Object.entries(rpc.PropertyDiff.Kind).find(([, kind]) => kind === property?.getKind())?.[0];
}
