// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface User {
  id: string;
  name: string;
}

interface Playlist {
  id: string;
  owner: string;
  title: string;
  isPrivate: boolean;
}

declare const sessions: { find(token: string): Promise<User | null> };
declare const playlists: {
  find(id: string): Promise<Playlist | undefined>;
  ownedBy(user: string): Promise<Playlist[]>;
  remove(id: string): Promise<void>;
};
declare const genres: { names(): Promise<string[]> };

function bearerToken(e: RequestEvent): string | undefined {
  const header = e.header("authorization");
  if (!header?.startsWith("Bearer ")) return undefined;
  return header.slice("Bearer ".length);
}

async function optionalUser(e: RequestEvent): Promise<User | null> {
  const token = bearerToken(e);
  return token === undefined ? null : sessions.find(token);
}

async function requireUser(e: RequestEvent): Promise<User> {
  const token = bearerToken(e);
  if (!token) throw e.error(401, "Sign in first.");
  const user = await sessions.find(token);
  if (!user) throw e.error(401, "The session has ended.");
  return user;
}

async function getPlaylist(e: RequestEvent<"id">) {
  const user = await optionalUser(e);
  const playlist = await playlists.find(e.pathValue("id"));
  if (!playlist || (playlist.isPrivate && playlist.owner !== user?.id)) {
    throw e.error(404, "There is no such playlist.");
  }
  return e.json(200, playlist);
}

async function listMyPlaylists(e: RequestEvent) {
  const user = await requireUser(e);
  return e.json(200, await playlists.ownedBy(user.id));
}

async function removePlaylist(e: RequestEvent<"id">) {
  const user = await requireUser(e);
  const playlist = await playlists.find(e.pathValue("id"));
  if (!playlist) throw e.error(404, "There is no such playlist.");
  if (playlist.owner !== user.id) throw e.error(403, "This playlist belongs to somebody else.");
  await playlists.remove(playlist.id);
  return e.noContent();
}

async function listGenres(e: RequestEvent) {
  return e.json(200, await genres.names());
}

export function routes(router: VersionedRouter): void {
  router.get("/playlists/{id}", getPlaylist);
  router.delete("/playlists/{id}", removePlaylist);
  router.get("/me/playlists", listMyPlaylists);
  router.get("/genres", listGenres);
}
