import { AsyncLocalStorage } from "node:async_hooks";
import { credentials, Metadata } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

/** The engine's log. It hides what a plugin prints, so this is the only way to tell a person something. */
export class EngineLog {
  #engine: EngineClient | undefined;
  readonly #call = new AsyncLocalStorage<{ urn: string; told: Promise<void>[] }>();

  connect(address: string | undefined): void {
    if (address) this.#engine ??= new EngineClient(address, credentials.createInsecure());
  }

  /** Runs `operation` with what it tells attributed to the resource `urn`, and told before it ends. */
  async during<T>(urn: string, operation: () => Promise<T>): Promise<T> {
    const call = { urn, told: [] as Promise<void>[] };
    try {
      return await this.#call.run(call, operation);
    } finally {
      await Promise.all(call.told);
    }
  }

  info(line: string): void {
    this.#tell(LogSeverity.INFO, line);
  }

  warning(line: string): void {
    this.#tell(LogSeverity.WARNING, line);
  }

  #tell(severity: LogSeverity, line: string): void {
    const engine = this.#engine;
    const call = this.#call.getStore();
    if (!engine) {
      process.stderr.write(`${line}\n`);
      return;
    }
    const request = new LogRequest();
    request.setSeverity(severity);
    request.setMessage(line);
    request.setUrn(call?.urn ?? "");
    const told = new Promise<void>((resolve) => {
      // An engine that no longer listens must not hold up the answer.
      engine.log(request, new Metadata(), { deadline: Date.now() + 5_000 }, () => {
        resolve();
      });
    });
    call?.told.push(told);
  }
}
