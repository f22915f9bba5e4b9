"""Objects of other libraries, read from their MuJoCo models: robosuite's and RoboCasa's."""
