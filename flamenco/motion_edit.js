// SPDX-License-Identifier: GPL-3.0-or-later
// A Flamenco job type: a recipe of Motion Editing on a folder of clips, in as many tasks as you like.
// Copy this file into the folder `scripts` beside the Flamenco Manager.

const JOB_TYPE = {
  label: "Motion Editing",
  description: "Do the steps of a recipe to every clip of a folder",
  settings: [
    { key: "recipe", type: "string", required: true, subtype: "file_path",
      description: "TOML file, or the name of a recipe that comes with the extension" },
    { key: "input", type: "string", required: true, subtype: "dir_path",
      description: "Folder with clips: BVH, FBX, glTF, Blender files" },
    { key: "output", type: "string", required: true, subtype: "dir_path", description: "Folder for the results" },
    { key: "format", type: "string", default: "", choices: ["", "bvh", "fbx", "npz", "glb", "gltf", "blend"],
      description: "Format of the results; that of each clip if empty" },
    { key: "strict", type: "bool", default: false,
      description: "Let a task fail where a clip fails; then no report is written" },
    { key: "tasks", type: "int32", default: 10, description: "Into how many tasks the clips are divided" },
    { key: "blender", type: "string", default: "{blender}", visible: "submission",
      description: "Blender with the extension enabled" },
  ],
};

function compileJob(job) {
  const settings = job.settings;
  const report = author.Task("report", "misc");
  const shares = Math.max(1, settings.tasks);
  for (let share = 1; share <= shares; share++) {
    const task = author.Task("clips-" + share + "-of-" + shares, "misc");
    task.addCommand(motionEdit(settings, runArguments(settings, share, shares)));
    // A page about results that are not there yet would be of no use.
    report.addDependency(task);
    job.addTask(task);
  }
  report.addCommand(motionEdit(settings, ["report", settings.output]));
  job.addTask(report);
}

function runArguments(settings, share, shares) {
  const format = settings.format ? ["--format", settings.format] : [];
  // --resume: a task that Flamenco starts again skips the clips it has done.
  const rest = ["--out", settings.output, "--part", share + "/" + shares, "--resume"];
  // A task that fails is tried by other workers, and what waits for it, the report, is never done.
  const failures = settings.strict ? [] : ["--accept-failures"];
  return ["run", settings.recipe, settings.input].concat(rest, format, failures);
}

function motionEdit(settings, words) {
  return author.Command("exec", { exe: settings.blender, args: ["--command", "motion_edit"].concat(words) });
}
