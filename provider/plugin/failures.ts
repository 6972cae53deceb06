import { Metadata, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { oneLine, OutcomeUnknownError, PendingCreationError, ResellerError } from "../errors";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { wrap } from "./wire";

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

/** `wrapped`: how properties travel, should the error carry some. */
export function failureOf(error: unknown, wrapped: (fields: object) => Struct = wrap): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof PendingCreationError) return keptInState(error, wrapped);
  if (error instanceof ResellerError) {
    const unknown = error instanceof OutcomeUnknownError;
    return new Failure(unknown ? status.UNKNOWN : status.FAILED_PRECONDITION, error.message);
  }
  const said = oneLine(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  return new Failure(status.INTERNAL, `A fault in the reseller provider itself, please report it: ${said}`);
}

/** The detail that makes the engine keep a resource whose creation was not confirmed. */
function keptInState(error: PendingCreationError, wrapped: (fields: object) => Struct): Failure {
  const detail = new ErrorResourceInitFailed();
  detail.setId(error.id);
  detail.setProperties(wrapped(error.properties));
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
