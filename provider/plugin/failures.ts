import { Metadata, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { oneLine, OutcomeUnknownError, PendingCreationError, ResellerError } from "../errors";
import { type Path, wrap } from "./wire";

/** An error as gRPC carries it. The code tells the engine whether it is known what became of the resource. */
export class Failure extends Error {
  constructor(
    readonly code: status,
    readonly details: string,
    readonly metadata = new Metadata(),
  ) {
    super(details);
  }
}

/** `secrets`: where secrets are, should the error carry properties. */
export function failureOf(error: unknown, secrets: readonly Path[] = []): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof PendingCreationError) return keptInState(error, secrets);
  if (error instanceof ResellerError) {
    const unknown = error instanceof OutcomeUnknownError;
    return new Failure(unknown ? status.UNKNOWN : status.FAILED_PRECONDITION, error.message);
  }
  const said = oneLine(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  return new Failure(status.INTERNAL, `A fault in the reseller provider itself, please report it: ${said}`);
}

/** The detail that makes the engine keep a resource whose creation was not confirmed. */
function keptInState(error: PendingCreationError, secrets: readonly Path[]): Failure {
  const detail = new ErrorResourceInitFailed();
  detail.setId(error.id);
  detail.setProperties(wrap(error.properties, secrets));
  detail.setReasonsList(error.reasons);
  const packed = new Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const answer = new Status();
  answer.setCode(status.UNKNOWN);
  answer.setMessage(error.message);
  answer.addDetails(packed);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(answer.serializeBinary()));
  return new Failure(status.UNKNOWN, error.message, metadata);
}
