"""German."""

# Labels of operators.
OPERATORS = {
    "Load Sample Motion": "Beispielbewegung laden",
    "Sample Motion": "Beispielbewegung",
    "Bring In Motion": "Bewegung holen",
    "Import BVH": "BVH importieren",
    "Export BVH": "BVH exportieren",
    "Motion Capture with Source Rate (.bvh)": "Bewegungsaufnahme mit Aufnahmerate (.bvh)",
    "Guess Source Rate": "Aufnahmerate schätzen",
    "Trim Clip": "Clip beschneiden",
    "Split Clip": "Clip teilen",
    "Conform Rate": "Rate angleichen",
    "Restore Original": "Original wiederherstellen",
    "Make Action Local": "Action lokal machen",
    "Find Body Parts": "Körperteile finden",
    "Set Body Part": "Körperteil festlegen",
    "Clear Body Part": "Körperteil entfernen",
}

# Everything else; values in braces are filled in.
TEXTS = {
    "Stand Aside": "Daneben stellen",
    "Put the figure beside a mesh that is in its place": "Die Figur neben ein Mesh stellen, das an ihrer Stelle ist",
    "Import motion at real speed, in metres, upright and on the floor": (
        "Bewegung in wahrem Tempo importieren, in Metern, aufrecht und auf dem Boden"
    ),
    "Speed": "Tempo",
    "How the motion gets its real speed": "Wie die Bewegung ihr wahres Tempo bekommt",
    "Scene's Rate": "Rate der Szene",
    "Resample the motion to the scene's frame rate": "Die Bewegung auf die Bildrate der Szene umrechnen",
    "File's Rate": "Rate der Datei",
    "Set the scene's frame rate to that of the first file": "Die Bildrate der Szene auf die der ersten Datei setzen",
    "Keep Frames": "Frames behalten",
    "Leave every sample on a frame, whatever speed that gives": (
        "Jede Probe auf einem Frame lassen, welches Tempo das auch gibt"
    ),
    "Size": "Größe",
    "How tall the figure is": "Wie groß die Figur ist",
    "Metres": "Meter",
    "Find the unit of the file from the height of the figure": "Die Einheit der Datei aus der Größe der Figur finden",
    "As in the File": "Wie in der Datei",
    "Take a unit of the file for a metre": "Eine Einheit der Datei als Meter nehmen",
    "Use the file's Y axis as up, as in most BVH files": (
        "Die Y-Achse der Datei zeigt nach oben, wie in den meisten BVH-Dateien"
    ),
    "Use the file's Z axis as up, in BVH files": "Die Z-Achse von BVH-Dateien zeigt nach oben",
    "Trim Reference Pose": "Referenzpose abschneiden",
    "Remove a T-pose before the motion": "Eine T-Pose vor der Bewegung entfernen",
    "Place at Cursor": "Zum Cursor stellen",
    "Put the figure on the floor at the 3D cursor": "Die Figur beim 3D-Cursor auf den Boden stellen",
    "Retarget To": "Übertragen auf",
    "Character that gets the motion; a new figure if empty": "Figur, die die Bewegung bekommt; eine neue, wenn leer",
    "Motion": "Bewegung",
    "Motion Editing": "Bewegung bearbeiten",
    "Clip": "Clip",
    "Character": "Figur",
    "Add a figure that walks, jumps and punches, to try tools on": (
        "Eine Figur hinzufügen, die geht, springt und boxt, um Werkzeuge zu erproben"
    ),
    "Figure that performs the motion": "Figur, die die Bewegung ausführt",
    "Skeleton": "Skelett",
    "Bones alone": "Knochen allein",
    "Mannequin": "Gliederpuppe",
    "Skinned figure whose face has shape keys": "Figur mit Haut, deren Gesicht Shape Keys hat",
    "Rigify Mannequin": "Gliederpuppe mit Rigify",
    "Skinned figure with the controls that Rigify builds": "Figur mit Haut und den Reglern, die Rigify baut",
    "Enable the add-on Rigify in the preferences, then try again": (
        "Das Add-on Rigify in den Einstellungen einschalten, dann noch einmal versuchen"
    ),
    "Import motion capture with its source rate": "Bewegungsaufnahme mit ihrer Aufnahmerate importieren",
    "Export the active armature's motion with its source rate": (
        "Bewegung der aktiven Armatur mit ihrer Aufnahmerate exportieren"
    ),
    "Estimate the source rate from the motion": "Die Aufnahmerate aus der Bewegung schätzen",
    "Keep a part of the motion and remove the rest": "Einen Teil der Bewegung behalten und den Rest entfernen",
    "Make an action of every part of the motion; the motion stays as it is": (
        "Aus jedem Teil der Bewegung eine Action machen; die Bewegung bleibt, wie sie ist"
    ),
    "Resample the motion to the scene's frame rate, at its real speed": (
        "Die Bewegung in Echtzeit auf die Framerate der Szene umrechnen"
    ),
    "Restore the keys from before the first edit": "Die Keys von vor der ersten Bearbeitung wiederherstellen",
    "Make linked actions local, so that tools can change them": (
        "Verlinkte Actions lokal machen, damit Werkzeuge sie ändern können"
    ),
    "Source Rate": "Aufnahmerate",
    "Samples per second of the recording; 0 is the scene's frame rate": (
        "Abtastungen der Aufnahme je Sekunde; 0 ist die Framerate der Szene"
    ),
    "Skip at Start": "Am Anfang auslassen",
    "Frames at the start with a reference pose; tools skip them": (
        "Frames mit Referenzpose am Anfang, die Werkzeuge auslassen"
    ),
    "Rate": "Rate",
    "Samples per second; 0 is the scene's frame rate": "Abtastungen je Sekunde; 0 ist die Framerate der Szene",
    "Fit Scene Range": "Szenenbereich anpassen",
    "Set the scene's frame range to the motion": "Den Framebereich der Szene an die Bewegung anpassen",
    "Up Axis": "Hochachse",
    "Up axis of the file": "Hochachse der Datei",
    "Scale": "Skalierung",
    "Factor of all lengths": "Faktor aller Längen",
    "Check Rate": "Rate prüfen",
    "Correct a wrong frame rate of the file from falls under gravity": (
        "Eine falsche Framerate der Datei anhand des freien Falls berichtigen"
    ),
    "Range": "Bereich",
    "Frames to work on": "Frames, die bearbeitet werden",
    "Linked from another file": "Aus einer anderen Datei verlinkt",
    "No keys": "Keine Keys",
    "Frames {first} to {last}, {length} s": "Frames {first} bis {last}, {length} s",
    "Taken as the scene's {rate} a second": "Wie die Szene: {rate} je Sekunde",
    "Stated by the file": "Angabe der Datei",
    "Made at this rate": "Mit dieser Rate erzeugt",
    "The reference pose was deleted: nothing is left out": "Die Referenzpose wurde gelöscht: nichts wird ausgelassen",
    "All visible bones": "Alle sichtbaren Knochen",
    "{bones} and the object": "{bones} und das Objekt",
    "{bones} of {count} armatures": "{bones} von {count} Armaturen",
    "{bones} of '{name}'": "{bones} von '{name}'",
    "{count} selected bone": "{count} ausgewählter Knochen",
    "{count} selected bones": "{count} ausgewählte Knochen",
    "Select an armature": "Eine Armatur auswählen",
    "'{name}' has no action: {cure}": "'{name}' hat keine Action: {cure}",
    "assign one, or load the sample motion": "eine zuweisen oder die Beispielbewegung laden",
    "Find body parts from bone names, hierarchy and motion": (
        "Körperteile anhand von Knochennamen, Hierarchie und Bewegung finden"
    ),
    "Assign the selected bones to this body part": "Die ausgewählten Knochen diesem Körperteil zuweisen",
    "Mark the body part as absent from the character": "Den Körperteil als nicht vorhanden kennzeichnen",
    "Part": "Teil",
    "Body part, such as head, torso or left arm": "Körperteil, etwa Kopf, Rumpf oder linker Arm",
    "Bones": "Knochen",
    "Bone names separated by commas; the selected bones if empty": (
        "Durch Kommas getrennte Knochennamen; ausgewählte Knochen, wenn leer"
    ),
    "Found by itself when a tool needs it": "Wird gefunden, sobald ein Werkzeug es braucht",
    "not set": "nicht festgelegt",
    "Root": "Wurzel",
    "Torso": "Rumpf",
    "Head": "Kopf",
    "Left Arm": "Linker Arm",
    "Right Arm": "Rechter Arm",
    "Left Hand": "Linke Hand",
    "Right Hand": "Rechte Hand",
    "Left Leg": "Linkes Bein",
    "Right Leg": "Rechtes Bein",
    "Left Foot": "Linker Fuß",
    "Right Foot": "Rechter Fuß",
    "{axis} is up": "{axis} zeigt nach oben",
    "Up axis not known": "Hochachse nicht bekannt",
    ", height {height}": ", Höhe {height}",
    ", height not known": ", Höhe nicht bekannt",
    "Loaded {frames} frames on {bones} bones": "{frames} Frames auf {bones} Knochen geladen",
    "The sample motion needs {lowest} samples a second or more, not {rate}": (
        "Die Beispielbewegung braucht mindestens {lowest} Abtastungen je Sekunde, nicht {rate}"
    ),
    "Keyed by hand: the scene's own frame rate holds": "Von Hand animiert: die Framerate der Szene gilt",
    "Brought back the original keys of '{action}'": "Ursprüngliche Keys von '{action}' wiederhergestellt",
    "Now of this file: {actions}": "Jetzt in dieser Datei: {actions}",
    "Wrote {frames} to {file}": "{frames} nach {file} geschrieben",
    "{frames} at {rate} a second": "{frames} mit {rate} je Sekunde",
    ", {skipped} left out": ", {skipped} ausgelassen",
    "{rate} samples a second: {reason}": "{rate} Abtastungen je Sekunde: {reason}",
    "Select the bones of this body part in pose mode first": (
        "Zuerst die Knochen dieses Körperteils im Pose-Modus auswählen"
    ),
    "The {part} is one bone, and {count} are chosen: select one": (
        "{part} ist ein einziger Knochen, und {count} sind gewählt: einen auswählen"
    ),
    "root": "Wurzel",
    "head": "Kopf",
    "{verb} {bones} over {frames}": "{bones} über {frames} {verb}",
    "{verb} {bones} from {before} to {frames}": "{bones} von {before} auf {frames} {verb}",
    ", {keys} became {after}": ", aus {keys} wurden {after}",
    ", {keys} as before": ", {keys} wie zuvor",
    "; largest change {changes}": "; größte Änderung {changes}",
    "; foot slide {before} before, {after} after": "; Fußrutschen vorher {before}, nachher {after}",
    "object": "Objekt",
    "{tool} changed nothing": "{tool}: nichts geändert",
    "{tool} stopped, nothing was changed": "{tool} abgebrochen, nichts wurde geändert",
    "Changed": "geändert",
    "Filtered": "gefiltert",
    "Smoothed": "geglättet",
    "Cleaned": "bereinigt",
    "Repaired": "repariert",
    "Converted": "umgewandelt",
    "{count} bone": "{count} Knochen",
    "{count} bones": "{count} Knochen",
    "{count} frame": "{count} Frame",
    "{count} frames": "{count} Frames",
    "{count} key": "{count} Key",
    "{count} keys": "{count} Keys",
    "{count} reference frame": "{count} Referenzframe",
    "{count} reference frames": "{count} Referenzframes",
    "{count} limb": "{count} Gliedmaße",
    "{count} limbs": "{count} Gliedmaßen",
    "{count} hand": "{count} Hand",
    "{count} hands": "{count} Hände",
    "{count} foot": "{count} Fuß",
    "{count} feet": "{count} Füße",
    "{count} left and right pair": "{count} Links-rechts-Paar",
    "{count} left and right pairs": "{count} Links-rechts-Paare",
    "No flaws found": "Keine Fehler gefunden",
    "Found {flaws}": "Gefunden: {flaws}",
    "; the first {count} are listed": "; die ersten {count} sind aufgelistet",
    "1 flaw was left as it is: filling in would make other bones jump further than now": (
        "1 Fehler blieb, wie er ist: Füllen ließe andere Knochen weiter springen als jetzt"
    ),
    "{count} flaws were left as they are: filling in would make other bones jump further than now": (
        "{count} Fehler blieben, wie sie sind: Füllen ließe andere Knochen weiter springen als jetzt"
    ),
    "There are no keys to spare: nothing was changed": "Keine Keys zu sparen: nichts wurde geändert",
    "{keys} became {after}, largest error {angle} and {distance}": (
        "aus {keys} wurden {after}, größter Fehler {angle} und {distance}"
    ),
    ", feet slide {distance} more": ", Füße rutschen {distance} mehr",
    ", {outliers} ignored": ", {outliers} ignoriert",
    " ({keys} added)": " ({keys} hinzugefügt)",
    " ({keys} added, largest error {error})": " ({keys} hinzugefügt, größter Fehler {error})",
    "; between the sparse keys up to {error} is missed": "; zwischen den wenigen Keys fehlen bis zu {error}",
    ", Keys: Every Frame follows exactly": ", Keys: Jeder Frame folgt genau",
    "1 muted channel was left out: {channels}": "1 stummgeschalteter Kanal wurde ausgelassen: {channels}",
    "{count} muted channels were left out: {channels}": (
        "{count} stummgeschaltete Kanäle wurden ausgelassen: {channels}"
    ),
    "{channels} and {count} more": "{channels} und {count} weitere",
    "{number} in other channels": "{number} in anderen Kanälen",
    "{number} units": "{number} Einheiten",
    "Equalized": "ausgeglichen",
    "Exaggerated": "übertrieben",
    "Limited": "begrenzt",
    "Compressed": "verdichtet",
    "{count} breakdown key": "{count} Breakdown-Key",
    "{count} breakdown keys": "{count} Breakdown-Keys",
    "'{name}' by {amount} at frame {frame}": "'{name}' um {amount} bei Frame {frame}",
    "{constraints} missed: {names}": "{constraints} verfehlt: {names}",
    "{names} and {count} more": "{names} und {count} weitere",
    "{count} constraint is": "{count} Constraint ist",
    "{count} constraints are": "{count} Constraints sind",
    "Retargeted {bones} over {frames} to '{action}'": "{bones} über {frames} übertragen auf '{action}'",
    "; feet slide {slide}": "; Füße rutschen {slide}",
    "{after} ({share} of the leg), {before} without contacts": "{after} ({share} des Beins), {before} ohne Kontakte",
    "; without a partner: {sources} of the source's bones, {targets} of the target's": (
        "; ohne Partner: {sources} Knochen der Quelle, {targets} des Ziels"
    ),
    "; hardly anything corresponds: pair bones in the list by hand": (
        "; fast nichts entspricht sich: Knochen in der Liste von Hand zuordnen"
    ),
    "; {count} not reached, worst {worst}": "; {count} nicht erreicht, am schlechtesten {worst}",
    "{bone} at frame {frame}": "{bone} bei Frame {frame}",
    "{one} to {other} at frame {frame}": "{one} zu {other} bei Frame {frame}",
    "{bone} off its path": "{bone} neben seinem Weg",
    "{count} outlier": "{count} Ausreißer",
    "{count} outliers": "{count} Ausreißer",
    "{count} spike": "{count} Spitze",
    "{count} spikes": "{count} Spitzen",
    "{count} gap": "{count} Lücke",
    "{count} gaps": "{count} Lücken",
    "{count} flip": "{count} Umschlag",
    "{count} flips": "{count} Umschläge",
    "{count} below floor": "{count} unter dem Boden",
    "{count} below the floor": "{count} unter dem Boden",
}
